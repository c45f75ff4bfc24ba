"""``houseway deal``: whole rounds through every step of the procedure, by itself or step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from houseway.cli.files import make_folder, verify_folder, write_file
from houseway.cli.output import AsJson, GameArgument, console, emit
from houseway.cli.progress import progress
from houseway.errors import IllegalError, InvalidInputError
from houseway.games import Rules, Submission, example_submission, read_submission, rules_for
from houseway.law.citations import UNCITED
from houseway.ledger import show_units
from houseway.money import Cents, cents
from houseway.rng import Entropy, SeededEntropy, SystemEntropy
from houseway.rounds.auto import CLOSES_BETS, Bets, noon, person_at, play_rounds, usual_wagers
from houseway.rounds.houseway import dealer_program
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.options import Offer, Reason, offers
from houseway.rounds.record import Record, write_record
from houseway.rounds.replay import difference
from houseway.rounds.seat_session import Played, accounts_of
from houseway.rounds.state import Phase
from houseway.rounds.step import Proposal
from houseway.rounds.steps.common import player_at, positions
from houseway.rounds.steps.players import Sit
from houseway.rounds.steps.wagers import PlaceWagers
from houseway.rounds.wording import happened, proposed, words
from houseway.settlement.model import DOUBLE_DOWN

MOST_ROUNDS: Final = 1_000_000_000
MANY: Final = 20
"""With more rounds than this only the sums are printed."""
THOUSANDS = 2_000
"""The number of rounds from which loading the kernel that sets hands pays."""


def deal_command(
    game: GameArgument,
    seats: Annotated[str | None, typer.Option(help="The positions in play, such as 2,3,5; else all.")] = None,
    wagers: Annotated[str | None, typer.Option(help="Such as main=$10,fortune=$5.")] = None,
    rounds: Annotated[int, typer.Option(help="How many rounds to play.")] = 1,
    seed: Annotated[str | None, typer.Option(help="Deal the same cards again.")] = None,
    method: Annotated[str | None, typer.Option(help="The way of dealing, such as manual_shoe.")] = None,
    start: Annotated[str | None, typer.Option(help="How the start is found, such as shaker.")] = None,
    submission: Annotated[Path | None, typer.Option(help="A rules submission; else our example.")] = None,
    records: Annotated[Path | None, typer.Option(help="A folder to write the round records to.")] = None,
    step_by_step: Annotated[bool, typer.Option("--step-by-step", help="Say what may be done next.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play whole rounds automatically, every step as the law orders it, and write their records."""
    rules = _rules(game, submission, method, start)
    bets = _bets(rules, seats, wagers)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise InvalidInputError(f"from one round to {MOST_ROUNDS:,}", value=rounds)
    entropy: Entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    table = LiveTable(rules, entropy, noon(rules.submission.law_as_of), new_table(rules, name=game))
    if step_by_step:
        _step_by_step(table, bets, rounds)
        return
    if rounds >= THOUSANDS:
        from houseway.houseways.batch import warm_up  # noqa: PLC0415 - numba only when it is worth loading

        warm_up(dealer_program(rules))
    played = _finish_rounds(table, play_rounds(table, bets, rounds))
    _report(_write_all(played, rounds, records, quiet=as_json or rounds == 1), rounds, as_json=as_json)


def _rules(game: str, file: Path | None, method: str | None, start: str | None) -> Rules:
    """Return the rules of the table: the submission, with the way of dealing from the options."""
    chosen = read_submission(file) if file else example_submission(game)
    if chosen.game != game:
        raise InvalidInputError("the submission is for another game", value=chosen.game)
    changes: dict[str, object] = {}
    if method:
        shuffler = "manual" if method in ("manual_shoe", "manual") else "automated"
        changes |= {"dealing": method, "shuffler": shuffler}
    if start:
        changes["start_methods"] = (start,)
    table = chosen.table.model_copy(update=changes)
    changed: Submission = chosen.model_copy(update={"table": table})
    rules = rules_for(changed)
    if not rules.game.procedure:
        raise InvalidInputError("this game is not played step by step yet", value=game)
    return rules


def _bets(rules: Rules, seats: str | None, wagers: str | None) -> Bets:
    known = positions(rules)
    try:
        chosen = [int(seat) for seat in seats.split(",")] if seats else list(known)
    except ValueError:
        raise InvalidInputError("positions are numbers, such as 2,3,5", value=seats) from None
    for at in chosen:
        if at not in known or chosen.count(at) > 1:
            raise InvalidInputError(f"positions are {known[0]} to {known[-1]}, each once", value=at)
    each = usual_wagers(rules) if wagers is None else _each(wagers)
    if DOUBLE_DOWN in each:
        _may_double(rules, each)
    return dict.fromkeys(chosen, each)


def _each(text: str) -> dict[str, Cents]:
    """Return each player's bets; a wager named twice is refused."""
    bets: dict[str, Cents] = {}
    for name, amount in _wagers(text):
        if name in bets:
            raise InvalidInputError("a wager is named once", value=name)
        bets[name] = amount
    return bets


def _may_double(rules: Rules, wagers: Mapping[str, Cents]) -> None:
    """Refuse a Double Down that is not offered or is not the amount of the main wager."""
    law = rules.game.wager_terms(DOUBLE_DOWN).equals_main
    if not rules.offers(DOUBLE_DOWN):
        raise IllegalError("the table does not offer it", value=DOUBLE_DOWN)
    if wagers[DOUBLE_DOWN] != wagers.get("main"):
        cited = law.cites if law else UNCITED
        raise IllegalError("a Double Down equals the main wager", value=DOUBLE_DOWN, clauses=cited)


def _wagers(text: str) -> Iterator[tuple[str, Cents]]:
    for item in text.split(","):
        name, _, amount = item.partition("=")
        if not amount:
            raise InvalidInputError("a wager is written main=$10", value=item)
        yield name.strip(), cents(amount)


def _finish_rounds(table: LiveTable, records: Iterator[Record]) -> Iterator[Played]:
    """Yield each round at its end, with its record."""
    for record in records:
        yield Played(table.table.last or table.table.round, record)


def _write_all(
    played: Iterator[Played], rounds: int, folder: Path | None, *, quiet: bool
) -> Iterator[Played]:
    """Yield rounds as they are played, writing each to the folder if there is one."""
    if folder is not None:
        verify_folder(folder)
    with progress("dealing", quiet=quiet, total=rounds) as advance:
        for number, finished in enumerate(played, start=1):
            advance(number, rounds)
            if folder is not None:
                make_folder(folder)
                path = folder / f"{finished.record.id}.json"
                write_file(path, write_record(finished.record))
            yield finished


def _report(played: Iterator[Played], rounds: int, *, as_json: bool) -> None:
    rows: list[dict[str, object]] = []
    won: dict[str, int] = {}
    steps = 0
    for finished in played:
        events = sum(len(turn.events) for turn in finished.record.turns)
        steps += events
        people = [hand.person for hand in finished.round.active()]
        people += [finished.round.banker.person] if finished.round.banker else []
        nets = {person: accounts_of(finished.round, person).net for person in people}
        for person, net in nets.items():
            won[person] = won.get(person, 0) + net
        mismatch = difference(finished.record) if rounds <= MANY else None
        rows.append(
            {
                "round": finished.record.id,
                "steps": events,
                "void": finished.round.void.reason if finished.round.void else None,
                "net": {person: show_units(net) for person, net in nets.items()},
                "replay": "identical" if mismatch is None else [mismatch],
            }
        )
    if as_json:
        emit(rows)
        return
    for row in rows if rounds <= MANY else ():
        line = ", ".join(f"{person} {net}" for person, net in row["net"].items())  # type: ignore[attr-defined]
        console().print(f"{row['round']}: {row['steps']} steps; {line}; replay {row['replay']}", markup=False)
    total = ", ".join(f"{person} {show_units(net)}" for person, net in won.items())
    console().print(f"{len(rows)} rounds, {steps} steps: {total}", markup=False)


# --- step by step ---------------------------------------------------------------------------------


def _step_by_step(live: LiveTable, bets: Bets, rounds: int) -> None:
    """Show what each player may do next and why not the rest; Enter does the first thing listed."""
    for at in sorted(bets):
        _do(live, Proposal(person_at(live.rules, at), Sit(at)))
    while live.table.rounds < rounds:
        table = live.table
        bare = [at for at in sorted(bets) if at not in table.round.hands and at != table.round.bank_seat]
        bank_ready = not live.rules.banked or table.round.stake
        if table.phase is Phase.BETTING and table.deck and bank_ready and bare:
            wagers = {w: amount for w, amount in bets[bare[0]].items() if w != DOUBLE_DOWN}
            _do(live, Proposal(player_at(table, bare[0]), PlaceWagers(bare[0], wagers)))
            continue
        choices = [move for move in live.moves() if move.step not in CLOSES_BETS or not bare]
        if not choices:
            raise InvalidInputError("no further step is possible", value=str(table.phase))
        console().print(f"\n[bold]{table.phase}[/bold], round {table.rounds + 1}")
        _show(choices, offers(live.rules, table, live.moment))
        chosen = _choose(len(choices))
        if chosen is None:
            return
        _do(live, choices[chosen])


def _show(choices: list[Proposal], offered: tuple[Offer, ...]) -> None:
    """Print the moves that are due, the irregularities that may be reported, and why not the rest."""
    out = console()
    for number, proposal in enumerate(choices, start=1):
        out.print(f"  {number}. {proposed(proposal)}", markup=False)
    due = {proposal.step for proposal in choices}
    others = [offer.option for offer in offered if offer.option.step not in due]
    possible = dict.fromkeys(option.step for option in others if option.open)
    if possible:
        out.print(f"  if it happens: {', '.join(map(words, possible))}", markup=False)
    against: dict[Reason, dict[str, None]] = {}
    for option in others:
        if option.step not in possible:
            against.setdefault(option.reasons[0], {})[words(option.step)] = None
    for reason, names in against.items():
        law = f" [{', '.join(reason.clauses)}]" if reason.clauses else ""
        out.print(f"  not {', '.join(names)}: {reason.says}{law}", markup=False, style="dim")


def _choose(count: int) -> int | None:
    """Ask for a choice; without a terminal return the first."""
    if not sys.stdin.isatty():
        return 0
    while True:
        text = input(f"which (1 to {count}, Enter for the first, q to stop)? ").strip()
        if text in ("q", "quit"):
            return None
        if not text:
            return 0
        if text.isdigit() and 1 <= int(text) <= count:
            return int(text) - 1
        print("a number of the list, please")


def _do(live: LiveTable, proposal: Proposal) -> None:
    for event in live.do(proposal.by, proposal.action):
        console().print(f"> {happened(event)}", markup=False)
