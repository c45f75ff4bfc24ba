"""Cards racked so that every hand can be rebuilt, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.rounds.state import NOTHING, Racked, Table, changed
from houseway.rounds.step import BY_DEALER, BY_DEALER_OR_DEVICE, Command, Event, Guard, Moment, Step, register
from houseway.rounds.steps.common import always, dealer_of, hand_has_not, hand_of, of_marked, sense
from houseway.rounds.steps.irregular import ended
from houseway.rounds.steps.money import bank_settlement, paid, paying, the_round
from houseway.rounds.steps.revealing import SETTLING
from houseway.rounds.steps.starting import uses
from houseway.rounds.steps.turns import due, envy_wagers, finished, next_hand, optional, to_rearrange
from houseway.settlement import Status, refunds, take_fees
from houseway.settlement.model import PROGRESSIVE


def _optional_settled(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return hand.settled.issuperset(optional(table, hand))


def _nothing_due(table: Table, command: Command) -> bool:
    return not due(table, hand_of(table, command))


def _kept_for_bonus(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return "rearranged" in hand.marks or not to_rearrange(table, hand)


def _envy_over(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return all(
        f"envy:{terms.id}" in table.play.marks
        for terms in table.rules.envied
        if hand.has(f"envies:{terms.id}")
    )


def _envy_over_progressive(table: Table, _: Command) -> bool:
    return table.play.has(f"envy:{PROGRESSIVE}")


def _documented(table: Table, command: Command) -> bool:
    hand = hand_of(table, command)
    return PROGRESSIVE not in hand.settled or hand.has("documented")


def _one_deck(table: Table, _: Command) -> bool:
    return table.rack_deck in (None, table.play.deck)


def _rack(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    hidden = hand.status is Status.SURRENDERED and not hand.has("rearranged")
    play, size = table.play, table.rules.game.hand_cards
    if hidden:
        racked = Racked("surrendered", hand.position, (), size, None, play.number)
    else:
        racked = Racked("hand", hand.position, hand.cards, size, hand.setting, play.number)
    hands = {**play.hands, hand.position: changed(hand, marks=hand.marks | {"racked"})}
    rack = (*table.rack, racked)
    return changed(table, play=changed(play, hands=hands), rack=rack, rack_deck=play.deck)


def _all_racked(table: Table, _: Command) -> bool:
    return all(hand.has("racked") for hand in table.play.playing())


def _shaker_back(table: Table, _: Command) -> bool:
    return not uses(table, "shaker") or table.play.has("shaker_back")


def _all_ruled(table: Table, _: Command) -> bool:
    return all(not hand.has("left") or hand.has("ruled") for hand in table.play.active())


def _closing(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    """Close the bank: what it holds goes back to the player-dealer, fees without action where they do."""
    if not table.banked:
        return NOTHING
    made = the_round(table)
    whole = bank_settlement(table)
    back = [p for p in whole.payments if p.wager == "bank"]
    return paying([*back, *refunds(made, take_fees(made), whole)], table)


def _close(table: Table, event: Event) -> Table:
    if event.outcome:
        table = paid(table, event)
    play = table.play
    racked = Racked(
        "dealer",
        table.dealer_at,
        play.dealer_cards,
        table.rules.game.hand_cards,
        play.dealer_setting,
        play.number,
    )
    return ended(changed(table, rack=(*table.rack, racked)))


def _lammers_cleared(table: Table, _: Command) -> bool:
    keeps = "clear_lammers" in table.rules.game.procedure
    return not keeps or not table.play.lammers or table.play.has("lammers_cleared")


def _reconciled(table: Table, _: Command) -> bool:
    """Every wager on the table is settled, Envy too."""
    return all(finished(table, hand) for hand in table.play.playing()) and not envy_wagers(table)


def _game_over(table: Table, _: Command) -> bool:
    return not table.play.has("coin_in") or table.play.has("game_over")


def _suggest_clear(table: Table) -> Iterable[Command]:
    if table.play.lammers and not table.play.has("lammers_cleared"):
        yield Command("clear_lammers", dealer_of(table))


def rebuilt(rack: Iterable[Racked], position: int) -> Racked | None:
    """Find a hand again in the discard rack: its cards and how they were set."""
    return next((one for one in rack if one.position == position and one.cards), None)


def _suggest_rack(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if (
            not hand.has("racked")
            and finished(table, hand)
            and (hand.has("announced") or hand.status is Status.ABANDONED)
        ):
            yield Command("rack", dealer_of(table), hand.position)


def _suggest_close(table: Table) -> Iterable[Command]:
    if table.play.hands and _all_racked(table, None):  # type: ignore[arg-type]
        yield Command("close_round", dealer_of(table))


register(
    Step(
        "rack",
        BY_DEALER,
        SETTLING,
        (
            sense("the cards are racked", hand_has_not("racked")),
            sense("nothing is racked while a wager on it is open", _nothing_due),
            Guard("all_settled", "all of a player's optional wagers are settled first", _optional_settled),
            always("for_bonus", "the cards stay to be rearranged", _kept_for_bonus),
            always(
                "envy", "an envied hand stays face up until the envy is paid", of_marked("held", _envy_over)
            ),
            Guard(
                "envy_progressive",
                "an envied hand stays face up until the envy is paid",
                of_marked(f"envies:{PROGRESSIVE}", _envy_over_progressive),
            ),
            always(
                "documented",
                "the cards stay until the payout's papers are complete",
                of_marked("progressive_share", _documented),
            ),
            Guard(
                "counted",
                "surrendered cards are counted first",
                lambda t, c: hand_of(t, c).status is not Status.SURRENDERED or hand_of(t, c).has("counted"),
            ),
            Guard("one_deck", "the rack holds the cards of one deck", _one_deck),
        ),
        needs="hand",
        evolve=_rack,
        onward=next_hand,
        suggest=_suggest_rack,
    ),
    Step(
        "clear_lammers",
        BY_DEALER,
        SETTLING,
        (always("reconciled", "the lammers stay until every wager is reconciled", _reconciled),),
        evolve=lambda t, _: t.mark_play("lammers_cleared"),
        suggest=_suggest_clear,
    ),
    Step(
        "close_round",
        BY_DEALER_OR_DEVICE,
        SETTLING,
        (
            always("racked", "every hand is settled and racked first", _all_racked),
            sense("envy is owed", lambda t, _: not envy_wagers(t)),
            Guard("shaker", "the shaker is covered, shaken once and put back first", _shaker_back),
            always("ruled", "the floor rules about a player who left first", _all_ruled),
            sense("the lammers are cleared first", _lammers_cleared),
            sense("the dealer presses Game Over first", _game_over),
            sense("the key stands at RUN first", lambda t, _: not t.has("key_jph")),
            sense("the dealer's hand is reset first", lambda t, _: not t.play.has("dealer_wrong")),
        ),
        outcome=_closing,
        evolve=_close,
        suggest=_suggest_close,
    ),
)
