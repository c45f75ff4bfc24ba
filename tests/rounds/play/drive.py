"""A plain driver: rounds by the thousand from one seed, irregularities mixed in, every one watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from houseway.rounds.record import Record
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor, Proposal
from tests.rounds.commands import NamedStep
from tests.rounds.play.chance import Chance, Seeded, layout, pick
from tests.rounds.play.moves import dealer, make, moves, person, some_wagers
from tests.rounds.play.unlawful import UNLAWFUL
from tests.rounds.play.washington_moves import set_for_who_asked
from tests.rounds.play.washington_watch import watch
from tests.rounds.play.watch import Watched
from tests.rounds.table import FLOOR, Snapshot

PENNSYLVANIA = ("pa-575", "pa-659a", "pa-670a")
GAMES = (*PENNSYLVANIA, "wa-fap")
ROUNDS_AT_A_TABLE = 25
THE_DEAL = (Phase.STARTING, Phase.DEALING)
STUCK = 4000
"""So many commands without a round's end are too many."""


def drive(game: str, rounds: int, seed: str, *, oddly: int = 12, every: int = 1) -> Counter[str]:
    """Play so many rounds; one command in ``oddly`` is not what is due; write down one round in ``every``.

    Returns how often each step was done, how often a command was refused and how many rounds were void.
    """
    done: Counter[str] = Counter()
    chance = Seeded(seed)
    number = 0
    while done["rounds"] < rounds:
        watched = watch(game, layout(game, chance), f"{seed}-{number}", twice=False)
        number += 1
        most = min(ROUNDS_AT_A_TABLE, rounds - done["rounds"])
        _play(watched, chance, most, oddly, every)
        watched.refold()
        done += watched.done
        done["rounds"] += watched.rounds
        done["records"] += watched.records
        done["refused"] += watched.refusals
    return done


def play_some(game: str, seed: str, *, oddly: int = 6) -> Iterator[Record]:
    """Yield the records of rounds with irregularities, as long as somebody wants them."""
    chance, number = Seeded(seed), 0
    while True:
        watched = watch(game, layout(game, chance), f"{seed}-{number}", twice=False)
        number += 1
        for rounds in range(1, ROUNDS_AT_A_TABLE + 1):
            _play(watched, chance, rounds, oddly, ROUNDS_AT_A_TABLE * rounds)
            assert watched.live.record is not None
            yield watched.live.record


def tables(
    game: str, rounds: int, seed: str, *, oddly: int = 6, watched_by: Callable[..., Watched] = watch
) -> Iterator[Watched]:
    """Yield tables as they are set up, and play so many rounds at all of them together."""
    chance, played, number = Seeded(seed), 0, 0
    while played < rounds:
        watched = watched_by(game, layout(game, chance), f"{seed}-{number}", twice=False)
        number += 1
        yield watched
        most = min(ROUNDS_AT_A_TABLE, rounds - played)
        _play(watched, chance, most, oddly, most)
        played += most


def _play(watched: Watched, chance: Seeded, rounds: int, oddly: int, every: int) -> None:
    last, since = 0, 0
    while watched.rounds < rounds:
        if watched.rounds != last:
            last, since = watched.rounds, watched.commands
        assert watched.commands - since < STUCK, f"the round does not end: {where_it_stands(watched)}"
        watched.writing = watched.rounds % every == 0
        if not chance.below(oddly):
            _something_else(watched, chance)
        else:
            _what_is_due(watched, chance)


def where_it_stands(watched: Watched) -> str:
    """Say where a table stands and what was last done there."""
    last = "; ".join(str(event.action) for event in watched.events[-25:])
    return f"{watched.table.phase}, {watched.table.way}, after {last}"


def _something_else(watched: Watched, chance: Seeded) -> None:
    how = chance.below(8)
    if how == 0:
        watched.later(minutes=chance.below(120))
    elif how == 1:
        for unlawful in UNLAWFUL:
            command = unlawful(watched.table, chance)
            if command is not None:
                watched.must_refuse(command)
    else:
        _try(watched, pick(chance, moves(watched.table)), chance)


def _one_of(watched: Watched, names: tuple[str, ...], chance: Seeded) -> None:
    """Let one of some things happen, of those that the game has."""
    known = [name for name in moves(watched.table) if name in names]
    if known:
        _try(watched, pick(chance, known), chance)


def _try(watched: Watched, name: str, chance: Seeded) -> None:
    """Let something happen, if it may."""
    command = make(name, watched.table, chance)
    if command is not None:
        watched.attempt(command)


AT_THE_DEAL = ("face_up_or_early", "expose_card", "device_fault", "count_hands")
"""What goes wrong while cards are dealt: a few commands in a round, so chance alone would seldom meet it."""
NOBODY_PLAYS = ("idle_spread",)
WHILE_IDLE = ("swap_decks",)
"""What else is done with the cards while nobody plays."""
CHOSEN = {
    "deal": "deal_some",
    "choose_hand": "choose_hand",
    "settle": "settle_one",
    "set": "at_the_display",
    "pay_jackpot": "supervisors_keys",
    "turn_key": "supervisors_keys",
}
"""What is due may be done in more than one way, or something else before it."""


def _what_is_due(watched: Watched, chance: Seeded) -> None:
    table = watched.table
    if table.round.start and table.phase in THE_DEAL and not chance.below(6):
        _one_of(watched, AT_THE_DEAL, chance)
    elif table.phase is Phase.IDLE and not chance.below(2):
        _one_of(watched, WHILE_IDLE, chance)
    table = watched.table
    if table.phase is Phase.BETTING and not table.round.hands:
        if not chance.below(20):
            _one_of(watched, NOBODY_PLAYS, chance)
        else:
            bet(watched, chance)
        return
    lawful = watched.lawful() if not chance.below(6) else []
    command: NamedStep | Proposal | None = pick(chance, lawful) if lawful else watched.next()
    if table.round.stopped:
        command = make("rule_round", table, chance)
    if command is not None and CHOSEN.get(command.step) in moves(table) and not chance.below(2):
        other = make(CHOSEN[command.step], table, chance)
        command = other if other is not None and watched.due(other) else command
    if command is not None:
        assert watched.attempt(command), f"suggested and refused: {command}"
    elif not any(watched.attempt(way_out) for way_out in ways_out(watched.table)):
        raise AssertionError(f"nothing can be done: {where_it_stands(watched)}")


def bet(watched: Watched, chance: Chance) -> None:
    """Let people sit down, and everybody wager, or only one of them."""
    while len(watched.table.seats) < 1 + chance.below(6):
        command = make("sit", watched.table, chance)
        if command is None or not watched.attempt(command):
            break
    seats = sorted(watched.table.seats)
    for at in seats if chance.below(3) else seats[:1]:
        wagers = some_wagers(watched.table, chance)
        watched.attempt(NamedStep("wager", person(watched.table, at), at, {"wagers": wagers}))


def ways_out(table: Snapshot) -> list[NamedStep]:
    """Return what somebody has to do of his own accord where nothing is suggested."""
    ways = [
        NamedStep("log_on", Actor("Dirk", Role.DEALER), details={"training": "on file"}),
        NamedStep("resume", dealer(table)),
        NamedStep("shake", dealer(table), details={"times": 3}),
    ]
    ways += [
        NamedStep("rule_abandoned", FLOOR, at, {"lost": False, "reason": "comes back"})
        for at in table.round.hands
    ]
    ways += [
        NamedStep("reveal", dealer(table), hand.position, {"parts": (part.name,)})
        for hand in table.round.playing()
        for part in table.rules.game.parts
        if hand.shown and part.name not in hand.shown
    ]
    if "press_jpot" in table.rules.game.procedure:
        ways += at_the_keypad(table)
    if table.round.has("stub_wrong"):
        counts = dict.fromkeys(range(1, 8), table.rules.game.hand_cards)
        ways.append(NamedStep("count_hands", dealer(table), details={"counts": counts}))
    ways += [
        NamedStep("cut", person(table, deck.cutter), deck.cutter, {"deck": name, "depth": 20})
        for name, deck in table.decks.items()
        if deck.has("recut") and deck.cutter and deck.cutter in table.seats
    ]
    ways += [
        NamedStep("cut", dealer(table), details={"deck": name, "depth": 20})
        for name, deck in table.decks.items()
        if deck.has("recut")
    ]
    for device in ("shuffler", "shoe"):
        if device not in table.signed:
            how = {"device": device, "how": "sign"}
            ways.append(NamedStep("sign_out_of_order", dealer(table), details=how))
        ways.append(NamedStep("repair", FLOOR, details={"device": device}))
    if table.phase is Phase.STARTING:
        ways.append(NamedStep("place_dice", dealer(table)))
    if table.phase is not Phase.STARTING:
        ways.append(NamedStep("receive_deck", dealer(table), details={"deck": f"D{len(table.decks)}"}))
    ways += [
        NamedStep("remove_deck", FLOOR, details={"deck": name, "reason": "too old"})
        for name, deck in table.decks.items()
        if not deck.has("removed")
    ]
    return ways


def at_the_keypad(table: Snapshot) -> list[NamedStep]:
    """Return what somebody has to do of his own accord in Washington: rule, set a hand, press anew."""
    ways = [NamedStep("rule_round", FLOOR, details={"ruling": "play on", "reason": "nobody was hurt"})]
    ways += set_for_who_asked(table)
    ways += [
        NamedStep("press_hand", dealer(table), hand.position, {"hand": hand.made["progressive"]})
        for hand in table.round.playing()
        if hand.has("progressive_share") and hand.claim != hand.made["progressive"]
    ]
    return ways
