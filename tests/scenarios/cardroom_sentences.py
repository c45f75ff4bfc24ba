"""What comes of it at a table that a player banks: more sentences of *then*."""

from __future__ import annotations

from houseway.cards import show_setting
from houseway.ledger import COLLECTIONS, INVENTORY, AccountKind
from houseway.money import Cents
from houseway.ranking import Setting
from houseway.rounds.houseway import same_setting
from houseway.rounds.state import Phase
from houseway.rounds.step import Actor
from houseway.settlement import PaymentKind
from tests.rounds.books import flows
from tests.rounds.commands import value_of
from tests.scenarios.doing import Story
from tests.scenarios.looking import amounts, last_event, last_play, net, payments, who_pays
from tests.scenarios.sentences import Grammar

CARDROOM = Grammar()


# The bank


def player_dealer(story: Story) -> str:
    """Return who banks, in this round or the next; nobody's name if nobody does."""
    seat = story.state.seats.get(story.state.banking.seat or 0)
    return seat.person if seat else "nobody"


@CARDROOM.says("{player} is the player-dealer")
def _banks(story: Story, player: Actor) -> None:
    assert player_dealer(story) == player.id, f"it is {player_dealer(story)}"


@CARDROOM.says("nobody is the player-dealer")
def _nobody_banks(story: Story) -> None:
    assert player_dealer(story) == "nobody", f"it is {player_dealer(story)}"


@CARDROOM.says("{player} is on record as having declined the bank")
def _declined(story: Story, player: Actor) -> None:
    assert any(e.step == "decline_bank" and e.by == player for e in story.table.log), "no such refusal"


@CARDROOM.says("the player-dealer's wager is {money}")
def _stake(story: Story, money: Cents) -> None:
    stake = last_play(story).stake
    assert stake == money, f"it is {stake}"


# The deal


@CARDROOM.says("the Action button lies at {at}")
def _action(story: Story, at: int) -> None:
    this_round = last_play(story)
    assert this_round.dice and this_round.action == at, (
        f"it lies at {this_round.action if this_round.dice else 'no seat'}"
    )


@CARDROOM.says("the cards at {at} are put away unseen")
def _put_away(story: Story, at: int) -> None:
    racked = [entry for entry in story.state.rack if entry.position == at and entry.what == "no wager"]
    size = story.state.rules.game.hand_cards
    assert [(entry.count, entry.cards) for entry in racked] == [(size, ())], "they are not put away"


@CARDROOM.says("the dealer shows the house way for the hand at {at}: {setting}")
def _house_way(story: Story, at: int, setting: Setting) -> None:
    shown = value_of(last_event(story, "ask_help", at), "setting")
    assert same_setting(shown, setting), f"it is {show_setting(shown)}"


@CARDROOM.says("the round is void by a ruling of the floor")
def _void_by_ruling(story: Story) -> None:
    this_round = last_play(story)
    assert this_round.void is not None and story.state.phase is Phase.BETTING, "the round is not void"
    last_event(story, "rule_round")
    assert this_round.void.reason.startswith("by ruling"), f"it is void: {this_round.void.reason}"


# Money


@CARDROOM.says("{player} wins {money} on {wager}")
def _wins_on(story: Story, player: Actor, money: Cents, wager: str) -> None:
    amounts(money, net(story, player.id, PaymentKind.PAY, who_pays(story), AccountKind.PLAYER, wager))


@CARDROOM.says("the player-dealer takes {money} from {player}")
def _takes(story: Story, money: Cents, player: Actor) -> None:
    amounts(money, net(story, player.id, PaymentKind.COLLECT, AccountKind.PENDING, AccountKind.BANK))


@CARDROOM.says("the bank closes with {money}")
def _closes(story: Story, money: Cents) -> None:
    """What the player-dealer has at the end: what he put up, and won, and did not lose."""
    amounts(
        money, sum(p.units for p in payments(story) if p.wager == "bank" and p.kind is PaymentKind.RETURN)
    )


@CARDROOM.says("{player} pays a fee of {money}")
def _fee(story: Story, player: Actor, money: Cents) -> None:
    mine = [p for p in payments(story) if p.wager == "collection" and p.person == player.id]
    amounts(money, sum(p.units if p.kind is PaymentKind.FEE else -p.units for p in mine))


@CARDROOM.says("the house gets {money} in fees and nothing else")
def _revenue(story: Story, money: Cents) -> None:
    moved = flows(payments(story))
    amounts(money, moved.get(COLLECTIONS, 0))
    assert not moved.get(INVENTORY), "the house has won or lost"
