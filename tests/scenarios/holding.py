"""What comes of it: the sentences of *then*."""

from __future__ import annotations

from houseway.cards import show_setting
from houseway.ledger import AccountKind
from houseway.money import Cents
from houseway.ranking import Setting
from houseway.rounds.houseway import house_setting, same_setting
from houseway.rounds.live import due_moves
from houseway.rounds.marks import DeckMark, HandMark
from houseway.rounds.roles import Role
from houseway.rounds.state import Phase, Place
from houseway.rounds.step import Actor
from houseway.settlement import PaymentKind
from tests.rounds.commands import NamedStep, value_of
from tests.rounds.pennsylvania import left_over
from tests.scenarios.cardroom_sentences import CARDROOM
from tests.scenarios.devices import DEVICES
from tests.scenarios.doing import Story
from tests.scenarios.looking import (
    amounts,
    cited,
    deck_before,
    hand_at,
    last_event,
    last_play,
    net,
    payments,
    who_pays,
)
from tests.scenarios.sentences import Grammar, read_actor

HOLDING = Grammar()
REFUSALS = Grammar()


# Refused, or allowed


@REFUSALS.says("it is refused by {clauses}")
def _refused_by(story: Story, clauses: tuple[str, ...]) -> None:
    assert story.refused_by is not None, "it is not refused"
    cited(clauses, story.refused_by)


@REFUSALS.says("it is refused")
def _refused(story: Story) -> None:
    assert story.refused_by is not None, "it is not refused"


@HOLDING.says("now allowed: {does}")
def _allowed(story: Story, command: NamedStep) -> None:
    problems = story.table.problems(command.step, command.by, command.position, **command.details)
    blocking = [str(problem) for problem in problems if problem.blocks]
    assert not blocking, "; ".join(blocking)


@HOLDING.says("now refused by {clauses}: {does}")
def _would_be_refused(story: Story, clauses: tuple[str, ...], command: NamedStep) -> None:
    cited(clauses, story.table.refused(command.step, command.by, command.position, **command.details))


@HOLDING.says("now refused: {does}")
def _would_not_be_done(story: Story, command: NamedStep) -> None:
    story.table.refused(command.step, command.by, command.position, **command.details)


# The round and the cards


@HOLDING.says("the round is void by {clauses}")
def _void(story: Story, clauses: tuple[str, ...]) -> None:
    this_round = last_play(story)
    assert this_round.void is not None and story.state.phase is Phase.BETTING, "the round is not void"
    cited(clauses, this_round.void.clauses)
    assert not this_round.lammers


@HOLDING.says("the round is not void")
def _not_void(story: Story) -> None:
    assert last_play(story).void is None, "the round is void"


@HOLDING.says("the round stands at {phase}")
def _stands_at(story: Story, phase: Phase) -> None:
    assert story.state.phase is phase, f"the round stands at {story.state.phase}"


@HOLDING.says("the round is stopped for a ruling of the floor")
def _stopped(story: Story) -> None:
    assert story.state.round.stopped, "the round is not stopped"
    due = [move for move in due_moves(story.state.rules, story.state.state) if story.table.live.may(move)]
    assert not due, "the round goes on"


@HOLDING.says("the deck must be shuffled before the next deal")
def _reshuffle(story: Story) -> None:
    deck = story.state.decks[last_play(story).deck or ""]
    assert deck.place is not Place.REMOVED and not deck.has(DeckMark.SHUFFLED), "the deck is still shuffled"
    problems = story.table.problems("load", deck=deck.name)
    assert any(problem.blocks for problem in problems), "the deck may be dealt again as it is"


@HOLDING.says("the deck is removed from the table")
def _removed(story: Story) -> None:
    deck = story.state.decks[last_play(story).deck or ""]
    assert deck.place is Place.REMOVED, "the deck stays"
    method = story.state.rules.submission.table.shuffler
    problems = story.table.problems("shuffle", deck=deck.name, method=method, device="shuffler")
    assert any(problem.blocks for problem in problems), "the deck may be shuffled again"


@HOLDING.says("the starting position is {at}", "the first hand goes to {at}")
def _start(story: Story, at: int) -> None:
    assert story.state.round.start == at, f"the starting position is {story.state.round.start}"


@HOLDING.says("no starting position is found")
def _no_start(story: Story) -> None:
    assert story.state.round.start is None and not story.state.round.dice


@HOLDING.says("card {n} goes to {at}")
def _card_goes(story: Story, number: int, at: int) -> None:
    """The card that lay n-th in the deck before the *when*."""
    card, this_round = deck_before(story)[number - 1], story.state.round
    cards = this_round.dealer_cards if at == story.state.dealer_at else this_round.hands[at].cards
    assert card in cards, f"{card} is not in the hand at {at}"


@HOLDING.says("a card found face up lies in the discard rack")
def _boxed(story: Story) -> None:
    assert sum(racked.count for racked in story.state.rack if racked.what == "found face up") == 1


@HOLDING.says("the dealer's hand is set {setting}", "the player-dealer's hand is set {setting}")
def _dealer_set(story: Story, setting: Setting) -> None:
    actual = last_play(story).dealer_setting or ()
    assert same_setting(actual, setting), f"it is set {show_setting(actual)}"


# The players' hands


@HOLDING.says("the hand at {at} is to be set before the hand at {at}, by {clauses}")
def _set_before(story: Story, first: int, second: int, clauses: tuple[str, ...]) -> None:
    def problems(at: int) -> tuple[str, ...]:
        house_way = house_setting(story.state.rules, hand_at(story, at).cards)
        by = read_actor(hand_at(story, at).person)
        against = story.table.problems("set", by, at, setting=house_way)
        return tuple(c for problem in against if problem.blocks for c in problem.clauses or ("sense",))

    assert not problems(first), f"the hand at {first} cannot be set"
    cited(clauses, problems(second))


@HOLDING.says("{player} may play or void the hand at {at}")
def _choosing(story: Story, player: Actor, at: int) -> None:
    assert hand_at(story, at).person == player.id and hand_at(story, at).has(HandMark.CHOOSING)


@HOLDING.says("nobody else is asked to play or void a hand")
def _one_choosing(story: Story) -> None:
    assert sum(hand.has(HandMark.CHOOSING) for hand in last_play(story).hands.values()) == 1


@HOLDING.says("nobody is asked to play or void a hand")
def _none_choosing(story: Story) -> None:
    assert not any(hand.has(HandMark.CHOOSING) for hand in last_play(story).hands.values())


@HOLDING.says("a lammer lies at {at}", "an Envy button lies at {at}")
def _lammer(story: Story, at: int) -> None:
    assert at in last_play(story).lammers


@HOLDING.says("no lammer lies at {at}", "no Envy button lies at {at}")
def _no_lammer(story: Story, at: int) -> None:
    assert at not in last_play(story).lammers


@HOLDING.says("the hand at {at} is set {setting}")
def _hand_set(story: Story, at: int, setting: Setting) -> None:
    hand = hand_at(story, at)
    actual = hand.setting or ()
    assert hand.has(HandMark.PLACED) and same_setting(actual, setting), f"it is {show_setting(actual)}"


@HOLDING.says("the hand at {at} stays on the table face up")
def _kept(story: Story, at: int) -> None:
    hand = hand_at(story, at)
    assert hand.has(HandMark.HELD) and not hand.has(HandMark.RACKED)


@HOLDING.says("the hand at {at} is hidden from {who} by {clauses}")
def _hidden(story: Story, at: int, who: Actor, clauses: tuple[str, ...]) -> None:
    cited(clauses, story.table.hidden(who, at))


@HOLDING.says("the hand at {at} is shown to {who}")
def _shown(story: Story, at: int, who: Actor) -> None:
    cards = story.table.sees(who, at)
    assert len(cards) == story.state.rules.game.hand_cards


@HOLDING.says("the cards left over are racked by {clauses} and shown to nobody")
def _stub_hidden(story: Story, clauses: tuple[str, ...]) -> None:
    cited(clauses, last_event(story, "count_stub").clauses)
    left, table = set(left_over(story.table)), story.state
    people = [Actor(seat.person, Role.PLAYER) for seat in table.seats.values()]
    for role in Role:
        people.append(Actor(table.dealer or "" if role is Role.DEALER else "Somebody", role))
    for who in people:
        assert not left & set(story.table.shown(who)), f"{who} is shown a card that was left over"


# What is said and recorded


@HOLDING.says('the dealer announces "{result}" at {at}')
def _announces(story: Story, result: str, at: int) -> None:
    announced = value_of(last_event(story, "reveal", at), "announced")
    assert announced == result, f"the dealer announces {announced}"


@HOLDING.says("the dealer acknowledges the Envy hand at {at} for {wager}")
def _acknowledges(story: Story, at: int, wager: str) -> None:
    assert wager in value_of(last_event(story, "rearrange", at), "announced")


@HOLDING.says("the dealer calls no roll, by {clauses}")
def _no_roll(story: Story, clauses: tuple[str, ...]) -> None:
    called = [event for event in story.table.log if event.step == "uncover" and value_of(event, "no_roll")]
    assert called, "every roll counts"
    cited(clauses, called[-1].clauses)


@HOLDING.says("{step} is recorded")
def _recorded(story: Story, step: str) -> None:
    last_event(story, step)


@HOLDING.says("{step} is recorded by {clauses}")
def _recorded_by(story: Story, step: str, clauses: tuple[str, ...]) -> None:
    cited(clauses, last_event(story, step).clauses)


@HOLDING.says("{step} is recorded with an alert by {clauses}")
def _alert(story: Story, step: str, clauses: tuple[str, ...]) -> None:
    cited(clauses, [c for problem in last_event(story, step).alerts for c in problem.clauses])


# Money


@HOLDING.says("{player} gets {money} back")
def _back(story: Story, player: Actor, money: Cents) -> None:
    amounts(money, net(story, player.id, PaymentKind.RETURN, AccountKind.PENDING, AccountKind.PLAYER))


@HOLDING.says("{player} wins {money}")
def _wins(story: Story, player: Actor, money: Cents) -> None:
    amounts(money, net(story, player.id, PaymentKind.PAY, who_pays(story), AccountKind.PLAYER))


@HOLDING.says("{player} gets Envy Bonuses of {money}")
def _envy(story: Story, player: Actor, money: Cents) -> None:
    amounts(
        money, sum(p.units for p in payments(story) if p.person == player.id and p.kind is PaymentKind.ENVY)
    )


@HOLDING.says("the house takes {money} from {player}")
def _takes(story: Story, money: Cents, player: Actor) -> None:
    amounts(money, net(story, player.id, PaymentKind.COLLECT, AccountKind.PENDING, AccountKind.INVENTORY))


@HOLDING.says("the meter stands at {money}")
def _meter(story: Story, money: Cents) -> None:
    assert story.state.meter is not None
    amounts(money, story.state.meter.value)


@HOLDING.says("the meter stands where it stood")
def _meter_stood(story: Story) -> None:
    assert story.state.meter is not None and story.state.meter == story.began.meter


THEN = Grammar(REFUSALS, HOLDING, DEVICES, CARDROOM)
