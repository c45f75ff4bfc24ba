"""The hands of a round: cards, how they were set and by whom, what the house way does, and the race."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from houseway.cards import Cards
from houseway.floor.packets import model
from houseway.floor.packets.happenings import Happening, alert, card_part, open_cards, parts_of, person
from houseway.floor.packets.packet_money import wager_name
from houseway.games import Rules
from houseway.games.hands import spoken
from houseway.houseways import decide
from houseway.money import Cents, dollars
from houseway.ranking import RaceResult, Setting, dealer_valued, describe
from houseway.rounds.explain import BEFORE_RESET, Story, unpaid
from houseway.rounds.houseway import dealer_program, same_setting
from houseway.rounds.state import Hand, Table
from houseway.rounds.steps.dealer_hand import DealerReset
from houseway.settlement.model import DEALER

_RESULTS: Mapping[RaceResult, str] = {
    RaceResult.HIGHER: "wins",
    RaceResult.COPY: "a copy: the dealer's",
    RaceResult.LOWER: "loses",
}
SetBys = Mapping[int, model.SetBy]


def find_setters(happenings: Iterable[Happening]) -> SetBys:
    """Return who set each hand last, by position."""
    set_by: dict[int, model.SetBy] = {}
    for happening in happenings:
        before, after = _settings(happening.before), _settings(happening.after)
        for at, setting in after.items():
            if setting is not None and setting != before.get(at):
                set_by[at] = model.SetBy(who=person(happening.event.by), step=happening.event.seq)
    return set_by


def _settings(table: Table) -> dict[int, Setting | None]:
    settings = {at: hand.setting for at, hand in table.round.hands.items()}
    return {**settings, table.dealer_at: table.round.dealer_setting}


def hand_of(story: Story, hand: Hand, set_by: SetBys) -> model.PacketHand:
    """Return a player's hand of a round that is over."""
    rules, dealers = story.rules, story.settled_on(hand)
    notes = list(unpaid(story, hand))
    if dealers != story.round.dealer_setting:
        notes.insert(0, BEFORE_RESET)
    return model.changed(
        _seat(story, hand),
        cards=tuple(map(str, hand.cards)),
        setting=tuple(_set_parts(rules, hand, dealers)),
        set_by=set_by.get(hand.position),
        house_way=house_way_of(rules, hand.cards, hand.setting),
        race=_race(hand),
        made={wager_name(rules, wager): spoken(line) for wager, line in hand.made.items()},
        notes=tuple(notes),
    )


def _seat(story: Story, hand: Hand) -> model.PacketHand:
    rules = story.rules
    return model.PacketHand(
        position=hand.position,
        person=hand.person,
        name=story.name(hand.person),
        status=str(hand.status),
        wagers=_wagers(rules, hand.wagers),
        behind={story.name(bettor.person): _wagers(rules, bettor.wagers) for bettor in hand.behind},
    )


def _wagers(rules: Rules, wagers: Mapping[str, Cents]) -> dict[str, str]:
    order = rules.wager_order
    known = sorted(wagers, key=lambda wager: order.index(wager) if wager in order else len(order))
    return {wager_name(rules, wager): dollars(wagers[wager]) for wager in known}


def _set_parts(rules: Rules, hand: Hand, dealers: Setting | None) -> Iterator[model.SetPart]:
    """Yield each part of a setting with its rank, the dealer's, and how the two compare."""
    order, setting = rules.ranking(), hand.setting or ()
    fits = tuple(map(len, setting)) == order.split
    theirs = dealer_valued(order, dealers) if dealers and fits else None
    results = hand.race.parts if hand.race and not hand.race.fouls else ()
    for at, part in enumerate(parts_of(rules, hand.cards, setting) if setting else ()):
        yield model.SetPart(
            name=part.name,
            cards=part.cards,
            rank=describe(order.rank(part.name, setting[at])) if fits else "",
            against=describe(order.rank(part.name, theirs[at])) if theirs else "",
            result=_RESULTS[results[at]] if at < len(results) else "",
        )


def _race(hand: Hand) -> model.PacketRace | None:
    race = hand.race
    if race is None:
        return None
    return model.PacketRace(result=race.result, clauses=race.clauses, fouls=tuple(map(alert, race.fouls)))


def house_way_of(rules: Rules, cards: Cards, setting: Setting | None) -> model.PacketHouseWay | None:
    """Return how the house way sets cards, by which rule, and whether the hand was set so."""
    every_card = cards or tuple(card for part in setting or () for card in part)
    if not rules.submission.house_way or len(every_card) != rules.game.hand_cards:
        return None
    decision = decide(dealer_program(rules), every_card, explain=True)
    names = rules.ranking().part_names
    return model.PacketHouseWay(
        way=rules.submission.house_way,
        rule=decision.rule,
        says=decision.say,
        setting=tuple(card_part(part, name) for name, part in zip(names, decision.setting, strict=True)),
        followed=same_setting(setting, decision.setting),
        clauses=decision.clauses,
        asked=tuple(
            model.PacketRule(rule=step.rule, fired=step.fired, questions=tuple(step.answers))
            for step in decision.steps
        ),
    )


def dealer_of(story: Story, at: int, set_by: SetBys, dealer: str | None) -> model.PacketHand:
    """Return the dealer's hand, or the bank's, in a round that is over."""
    rules, this_round = story.rules, story.round
    setting, order = this_round.dealer_setting, rules.ranking()
    fits = setting is not None and tuple(map(len, setting)) == order.split
    valued = dealer_valued(order, setting) if setting and fits else None
    parts = parts_of(rules, this_round.dealer_cards, setting) if setting else ()
    reset = [event for event in story.events if isinstance(event.outcome, DealerReset)]
    return model.changed(
        _dealers_seat(story, at, dealer),
        cards=tuple(map(str, this_round.dealer_cards)),
        setting=tuple(
            model.SetPart(
                name=part.name,
                cards=part.cards,
                rank=describe(order.rank(part.name, valued[n])) if valued else "",
            )
            for n, part in enumerate(parts)
        ),
        set_by=set_by.get(at),
        house_way=house_way_of(rules, this_round.dealer_cards, setting),
        notes=tuple(f"The hand had been set wrongly and was reset at step {event.seq}." for event in reset),
    )


def _dealers_seat(story: Story, at: int, dealer: str | None) -> model.PacketHand:
    banker = story.round.banker
    if banker is not None:
        return model.PacketHand(
            position=at, person=banker.person, name=story.name(banker.person), dealer=True, status="bank"
        )
    who = dealer or "dealer"
    return model.PacketHand(position=DEALER, person=who, name=story.name(who), dealer=True)


# --- a round in progress ------------------------------------------------------------------------------


def open_hands(
    story: Story, table: Table, now: datetime
) -> tuple[model.PacketHand, tuple[model.PacketHand, ...]]:
    """Return the dealer's hand and the players' as the public sees them: cards face down are only counted."""
    seen = list(open_cards(story.rules, table, now).values())
    dealer = _dealers_seat(story, table.dealer_at, table.dealer)
    hands = [_seat(story, hand) for _, hand in sorted(table.round.hands.items())]
    by_place = {lying.position: lying for lying in seen}
    return _as_seen(dealer, by_place.get(None)), tuple(
        _as_seen(hand, by_place.get(hand.position)) for hand in hands
    )


def _as_seen(hand: model.PacketHand, lying: model.CardsAtPlace | None) -> model.PacketHand:
    if lying is None:
        return hand
    cards = tuple(card for part in lying.parts for card in part.cards)
    named = tuple(model.SetPart(name=part.name, cards=part.cards) for part in lying.parts if part.name)
    return model.changed(hand, cards=cards, setting=named, hidden=lying.hidden)
