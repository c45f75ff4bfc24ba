"""Nobody is ever shown a card that they may not see: in no view, no event and no refusal."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct

from houseway.cards import Card, parse_setting
from houseway.law.problems import RefusedError
from houseway.ranking import Setting
from houseway.rounds.codec import plain
from houseway.rounds.deciding import evolve
from houseway.rounds.houseway import house_setting
from houseway.rounds.live import LiveTable
from houseway.rounds.options import options
from houseway.rounds.redaction import FIELDS, redact
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Table
from houseway.rounds.step import Actor, AnEvent, Command
from houseway.rounds.steps import ACTIONS, OUTCOMES
from houseway.rounds.steps.hand import Advised
from houseway.rounds.views import preview, view
from houseway.rounds.wording import happened
from tests.rounds.california import banked, person
from tests.rounds.pennsylvania import dealt
from tests.rounds.play import drive
from tests.rounds.play.california_drive import Driven
from tests.rounds.play.moves import parted
from tests.rounds.secrecy.cards import WATCH_DISPLAY, cards_in, may_know
from tests.rounds.table import DEALER, FLOOR, TestTable, player
from tests.support.shards import in_parts


def holders_of_cards() -> set[tuple[type[Struct], str]]:
    """Return every field of every action and outcome in whose type a card stands, however deep."""
    return {
        (kind, name)
        for kind in (*ACTIONS, *OUTCOMES)
        for name, annotation in get_type_hints(kind).items()
        if not name.startswith("__") and holds_cards(annotation)
    }


def holds_cards(annotation: Any) -> bool:
    """Whether a card stands in a type."""
    if annotation is Card:
        return True
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        inner = [hint for name, hint in get_type_hints(annotation).items() if not name.startswith("__")]
        return any(map(holds_cards, inner))
    return any(map(holds_cards, get_args(annotation)))


GAMES = (*drive.GAMES, "ca-fpgp")
ROUNDS, ALL_ROUNDS, SHARD = 120, 1_000, 100
STAFF = tuple(Actor(f"the {role}", role) for role in Role if role is not Role.PLAYER)
SOMEBODY = 1
"""So many of those who are about look after each command, somebody else each time."""
OPTIONS_EVERY = 4
"""Every so many looks the options are looked at too."""


class Watcher:
    """Looks over everybody's shoulder at a table, after every command."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self.chance = random.Random("who looks")

    def look(self, live: LiveTable, before: Table, events: tuple[AnEvent, ...]) -> None:
        """Look at what everybody is told of some events, and how the table looks to them afterwards."""
        people = {seat.person for seat in (*before.seats.values(), *live.table.seats.values())}
        viewers = (*STAFF, *(Actor(person, Role.PLAYER) for person in (*sorted(people), "a stranger")))
        for viewer in self.chance.sample(viewers, min(SOMEBODY, len(viewers))):
            self._views(live, viewer)
            table = before
            for event in events:
                after = evolve(table, event)
                self._event(live, table, after, event, viewer)
                table = after

    def _views(self, live: LiveTable, viewer: Actor) -> None:
        shown = set(cards_in(plain(view(live.rules, live.table, viewer, live.moment))))
        known = may_know(live.rules, live.table, viewer)
        assert shown <= known, f"{viewer} sees {sorted(shown - known)}"
        self.met["cards seen"] += len(shown)
        self.met["views"] += 1
        if self.met["views"] % OPTIONS_EVERY == 0:
            offered = options(live.rules, live.table, viewer, live.moment)
            assert not set(cards_in(plain(offered))), f"a card in an option of {viewer}"
            self.met["options"] += len(offered)

    def _event(self, live: LiveTable, table: Table, after: Table, event: AnEvent, viewer: Actor) -> None:
        told = redact(live.rules, table, event, viewer)
        shown = set(cards_in(plain(told)))
        known = may_know(live.rules, table, viewer) | may_know(live.rules, after, viewer)
        acted = (viewer.id, viewer.role) == (event.by.id, event.by.role)
        own = set(cards_in(plain(event.action))) if acted or viewer.role is Role.DEALER else set()
        if getattr(event.outcome, "seal", None) and viewer.role in (Role.SURVEILLANCE, Role.REGULATOR):
            return
        opened = shown - known - own - told_by_the_display(event, viewer)
        assert not opened, f"{viewer} reads {sorted(opened)} in {event.step}"
        self.met["events"] += 1


def told_by_the_display(event: AnEvent, viewer: Actor) -> set[str]:
    """Return the cards that a house-way display, or the dealer who was asked, shows."""
    asked = event.step == "ask_help" and viewer.role is Role.DEALER
    display = event.step == "show_player_way" and viewer.role in WATCH_DISPLAY
    return set(cards_in(plain(event.outcome))) if asked or display else set()


class Looked(LiveTable):
    """A table that a watcher looks at after every command."""

    watcher: Watcher

    def carry_out(self, command: Command) -> tuple[AnEvent, ...]:
        """Carry a command out, and let the watcher look."""
        before = self.table
        try:
            events = super().carry_out(command)
        except RefusedError as error:
            given = set(cards_in(plain(command.action)))
            known = may_know(self.rules, self.table, command.by)
            assert set(cards_in(str(error))) <= given | known
            raise
        self.watcher.look(self, before, events)
        return events


def played(game: str, rounds: int, seed: str) -> Counter[str]:
    """Play rounds with irregularities under a watcher's eyes."""
    watcher = Watcher()
    if game == "ca-fpgp":
        table = Driven(random.Random(seed), seed, Counter())
        watched_by(table.live, watcher)
        for _ in range(rounds):
            table.play_round(whole_text=False)
    else:
        for watched in drive.tables(game, rounds, seed):
            watched_by(watched.live, watcher)
    watcher.met["rounds"] = rounds
    return watcher.met


def watched_by(live: LiveTable, watcher: Watcher) -> None:
    """Let a watcher look at a table from now on."""
    live.__class__ = Looked
    live.watcher = watcher  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_shown_a_card_that_they_may_not_see(game: str) -> None:
    met = played(game, ROUNDS, f"leaks {game}")
    assert met["views"] > 1_000 and met["events"] > 1_000 and met["cards seen"] > 1_000
    assert met["options"] > 1_000


@pytest.mark.exhaustive
@pytest.mark.parted
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_shown_such_a_card_in_a_thousand_rounds(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = ALL_ROUNDS // SHARD
    met = in_parts(partial(shard, game), parts, f"{game}: {ALL_ROUNDS:,} rounds looked at", capfd)
    assert met["rounds"] == ALL_ROUNDS


def shard(game: str, index: int) -> Counter[str]:
    """Play one part of the exhaustive run."""
    return played(game, SHARD, f"leaks {index} of {game}")


def test_advice_is_read_by_the_player_who_asked_and_by_the_dealer_but_not_at_the_next_seat() -> None:
    table = dealt("pa-659a", {2: "winner", 3: "loser"})
    table.do("look", player(2), 2)
    before = table.live.table
    (event,) = table.do("ask_help", player(2), 2)
    held = {*map(str, before.round.hands[2].cards)}
    for viewer, shown in ((player(2), held), (DEALER, held), (player(3), set())):
        assert {*cards_in(plain(redact(table.rules, before, event, viewer)))} == shown


def test_how_the_dealers_hand_is_set_is_told_to_everybody() -> None:
    table = dealt("pa-659a", {2: "winner"}).play_on(without=["set_dealer"])
    before = table.live.table
    (event,) = table.do("set_dealer")
    for viewer in (*STAFF, player(2), player(3)):
        told = redact(table.rules, before, event, viewer)
        assert {*cards_in(plain(told.outcome))} == {*map(str, before.round.dealer_cards)}


def test_every_field_that_holds_cards_is_listed_with_who_may_read_it() -> None:
    listed = {(kind, name) for kind, names in FIELDS.items() for name in names}
    assert holders_of_cards() | {(Advised, "rule")} == listed


@pytest.mark.parametrize("game", [game for game in GAMES if game != "wa-fap"])
def test_the_rule_that_a_hidden_hand_falls_under_is_told_to_whom_its_cards_are(game: str) -> None:
    """Washington's display shows the house way later; without it the dealer tells, as everywhere."""
    table = all_dealt(game)
    owner = Actor(table.state.round.hands[3].person, Role.PLAYER)
    table.do("look", owner, 3)
    before = table.live.table
    (event,) = table.do("ask_help", owner, 3)
    rule = event.outcome.rule
    assert rule and event.outcome.setting
    for viewer in (*STAFF, DEALER, owner, person(5), Actor("a stranger", Role.PLAYER)):
        told = redact(table.rules, before, event, viewer)
        may = viewer == owner or viewer.role is Role.DEALER
        assert told.outcome.rule == (rule if may else ""), viewer
        assert (f"rule {rule}" in happened(told)) == may and told.outcome.way == event.outcome.way


@pytest.mark.parametrize("game", GAMES)
def test_no_refusal_tells_anybody_which_cards_lie_face_down(game: str) -> None:
    """Whoever may not see the cards is answered alike, whether the cards they name lie there or not."""
    table = all_dealt(game)
    hand, dealers = table.state.round.hands[3], table.state.round.dealer_cards
    in_hand = {*hand.cards, *dealers}
    others = [card for card in table.rules.game.cards().cards if card not in in_hand]
    parts = table.rules.game.split
    right, wrong = (parted(cards, parts) for cards in (hand.cards, others))
    its, not_its = parted(dealers, parts), parted(others, parts)
    asked: list[tuple[str, int | None, Setting, Setting]] = [
        ("set", 3, right, wrong),
        ("enter_hand", 3, right, wrong),
        ("enter_hand", 5, (hand.cards[:1], (), ()), (tuple(others[:1]), (), ())),
        ("correct_entry", 3, right, wrong),
        ("set_dealer", None, its, not_its),
    ]
    if "reset_bank" in table.rules.game.procedure:
        asked.append(("reset_bank", None, its, not_its))
    for viewer in (*STAFF, DEALER, Actor(hand.person, Role.PLAYER), Actor("a stranger", Role.PLAYER)):
        for step, at, guess, other in asked:
            more = {"reason": "typed wrongly"} if step == "correct_entry" else {}
            answers = {table.problems(step, viewer, at, setting=one, **more) for one in (guess, other)}
            own = step == "set" and viewer.id == hand.person and game in ("wa-fap", "ca-fpgp")
            assert len(answers) == 1 or own, f"{viewer} learns of hidden cards by {step}"


def test_a_setting_can_be_looked_at_before_it_is_placed() -> None:
    table = dealt("pa-659a", {2: "winner"})
    cards = table.state.round.hands[2].cards
    fine = preview(table.rules, cards, parse_setting("AsAh6h5d / JdJh / Kc"))
    assert [part.rank for part in fine.parts] == ["pair of aces, six-five", "pair of jacks", "king-high"]
    assert fine.fouls == ()
    foul = preview(table.rules, cards, parse_setting("JdJh6h5d / AsAh / Kc"))
    assert foul.fouls
    short = preview(table.rules, cards, parse_setting("JdJh6h / AsAh / Kc"))
    assert short.fouls and short.parts[0].rank is None
    assert short.parts[1].rank == "pair of aces", "a part that is whole is named while the rest is arranged"


def test_no_question_tells_anybody_of_a_card_that_is_not_dealt() -> None:
    """Whatever is guessed of the next cards, the answer is the same, right or wrong."""
    table = TestTable("pa-659a").starting(2, 3, main="$10").play_on(without=["deal"])
    deck = table.live.vault.open(table.live.table.round.commitment or "")
    for by in (player(3), DEALER, FLOOR):
        said = {table.problems("deal", by, cards=1, read=(card,)) for card in deck.order}
        assert len(said) == 1


def test_no_question_tells_a_stranger_of_a_hand() -> None:
    table = dealt("pa-659a", {2: "winner", 3: "loser"})
    right = house_setting(table.rules, table.state.round.hands[2].cards)
    wrong = house_setting(table.rules, table.state.round.hands[3].cards)
    answers = {table.problems("set", player(3), 2, setting=setting) for setting in (right, wrong)}
    assert len(answers) == 1


@pytest.mark.parametrize("game", GAMES)
def test_who_sets_cards_that_lie_face_down_is_not_told_which_they_are(game: str) -> None:
    """The dealer and another player for a hand, its own player unseen, anybody for the player-dealer's."""
    table = all_dealt(game)
    hidden = [*table.state.round.hands[3].cards, *table.state.round.dealer_cards]
    strangers = [card for card in table.rules.game.cards().cards if card not in hidden]
    wrong = tuple(
        tuple(strangers[sum(table.rules.game.split[:part]) :][:size])
        for part, size in enumerate(table.rules.game.split)
    )
    owner = Actor(table.state.round.hands[3].person, Role.PLAYER)
    asked: list[tuple[str, Actor, int | None]] = [
        ("set", by, 3) for by in (DEALER, owner, Actor("Somebody", Role.PLAYER))
    ]
    if "reset_bank" in table.rules.game.procedure:
        asked += [("reset_bank", by, None) for by in (DEALER, owner, person(6))]
    for step, by, at in asked:
        problems = table.problems(step, by, at, setting=wrong)
        assert problems and not {*map(str, hidden)} & {*cards_in(" ".join(map(str, problems)))}


def all_dealt(game: str) -> TestTable:
    """Return a table at which every card is dealt and none is seen."""
    if game == "ca-fpgp":
        return banked("$200", {3: {"main": "$10"}}).closed().play_on(Phase.SETTING)
    return TestTable(game).setting(3, main="$10")


def test_payments_are_shown_to_everybody_without_saying_who_anybody_is() -> None:
    table = dealt("pa-659a", {2: "winner", 3: "loser"}, {2: {"progressive": "$1"}}).play_on(without=["rack"])
    people = {hand.person for hand in table.state.round.hands.values()}
    payments = table.state.round.payments
    assert {one.person for one in payments} & people, "the table itself knows"
    live = table.live
    shown = view(live.rules, live.table, Actor("x", Role.GUEST), live.moment).payments
    assert [one.units for one in shown] == [one.units for one in payments]
    assert not {name for one in plain(shown) for name in map(str, one.values())} & people
