"""When things go wrong: each irregularity reported, and what the law makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from houseway.law.claims import rest_on, standing
from houseway.ledger import AccountKind
from houseway.meters import Meter
from houseway.rounds.dealing import Voided, check_deal, irregularity
from houseway.rounds.state import IN_ROUND, WITH_CARDS, Deck, Hand, Phase, Place, Play, Racked, Table, changed
from houseway.rounds.step import (
    BY_DEALER,
    BY_DEALER_OR_DEVICE,
    BY_LAW,
    BY_PLAYER,
    FLOOR,
    Command,
    Consequence,
    Event,
    Guard,
    Moment,
    Step,
    law_of,
    register,
)
from houseway.rounds.steps.common import hand_of, player_at, sense
from houseway.rounds.steps.deal import whole_deal
from houseway.rounds.steps.money import area_of, banker_of, paid, paying, round_of, undo
from houseway.rounds.steps.shuffling import SHUFFLING
from houseway.settlement import Kind, Payment, Status, refunds, settle, take_fees
from houseway.settlement.house import in_order, reverses, void_area
from houseway.settlement.model import DEALER

VOID, PLAY_ON, FOUL_LOSES = RULINGS = ("void", "play on", "foul loses")
"""What the floor may rule where the documents are silent; the last about a foul, and only about one."""


def voids_whole_round(table: Table) -> bool:
    """Whether a card exposed during this deal voids the round for everybody."""
    found = next((one for one in table.rules.game.irregularity if one.id == "stack_card_exposed"), None)
    if found is None or table.phase is not Phase.DEALING or table.play.has("dealt_out"):
        return False
    wider = table.rules.readings.get("exposed_card_rule_j") == "also_automated_shoe"
    ways = (*found.ways, "automated_shoe") if wider else found.ways
    return table.way in ways and bool(standing(found.clauses))


def _exposed(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    at = command.position or 0
    if "stop_round" in table.rules.game.procedure:
        return {"stop": f"a card was exposed at {at}"}
    if voids_whole_round(table):
        return {"void": "stack_card_exposed"}
    if at == table.dealer_at:
        return {"void": "dealer_card_exposed"}
    hand = table.play.hands.get(at)
    playing = hand is not None and hand.status is Status.PLAYED and bool(hand.amount("main"))
    gone = hand is not None and hand.has("ruled")  # nobody is there to choose: the hand is played
    return {"choice": playing and not gone}


def _expose(table: Table, event: Event) -> Table:
    return table.mark_hand(event.position or 0, "choosing") if event.get("choice") else table


def _if_void(_: Table, event: Event) -> Sequence[Consequence]:
    if event.get("stop"):
        return [("stop_round", {"reason": event.get("stop")})]
    return [("void_round", {"irregularity": event.get("void")})] if event.get("void") else ()


def _open_fouls(table: Table) -> list[Hand]:
    return [h for h in table.play.playing() if h.has("foul") and not h.has("announced")]


def _fits_the_stop(table: Table, command: Command) -> bool:
    """A foul is not played on as if it were none, and nothing else loses as a foul."""
    ruling: str = command.get("ruling")
    return ruling == VOID or (ruling == FOUL_LOSES) == bool(_open_fouls(table))


def _begun(table: Table, command: Command) -> bool:
    """A round that a player banks can be void only when its bets are closed."""
    return not table.banked or command.get("ruling") != VOID or table.phase is not Phase.BETTING


def _ruled(table: Table, event: Event) -> Table:
    """The ruling covers whoever left: his hand is played on, the dealer setting it for him."""
    table = table.with_play(stopped=None)
    for hand in table.play.active():
        if hand.has("left") and not hand.has("ruled"):
            table = table.mark_hand(hand.position, "ruled")
    if event.get("ruling") == FOUL_LOSES:
        for hand in _open_fouls(table):
            marks = table.play.hands[hand.position].marks | {"announced"}
            table = table.with_hand(hand.position, status=Status.FOULED, marks=marks)
        table = table.with_play(table=round_of(table))
    return table


def _after_ruling(_: Table, event: Event) -> Sequence[Consequence]:
    return [("void_round", {"ruling": event.get("reason")})] if event.get("ruling") == VOID else ()


def _exposable(table: Table, command: Command) -> bool:
    """Cards that lie open by law are not exposed: the dealer's once turned, a player's once revealed."""
    if command.position == table.dealer_at:
        return table.phase in (Phase.DEALING, Phase.SETTING)
    hand = table.play.hands.get(command.position or 0)
    if hand is None:
        return not table.play.has("collected")  # an empty position's cards are put away unseen
    return table.phase is not Phase.SETTLING and not hand.shown


def _position_dealt(table: Table, command: Command) -> bool:
    last = table.rules.submission.table.positions + (0 if table.banked else 1)
    return command.position is not None and DEALER <= command.position <= last


def _chosen(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    if command.get("choice") != "void":
        return {"payments": ()}
    law = irregularity(table.rules, "hand_voided").clauses
    hand = changed(hand_of(table, command), status=Status.VOID, made={"void_law": " ".join(law)})
    payments, meter = void_area(round_of(table), area_of(hand), table.meter, dict(table.play.taken))
    return paying(payments, table, meter=meter, void_law=" ".join(law))


def _choose(table: Table, event: Event) -> Table:
    hand = hand_of(table, event)
    marks = (hand.marks - {"choosing"}) | {"chosen"}
    if event.get("choice") != "void":
        return table.with_hand(hand.position, marks=marks)
    table = paid(table, event)
    made = {"void_law": event.get("void_law")}
    table = table.with_hand(hand.position, marks=marks | {"racked"}, status=Status.VOID, made=made)
    racked = Racked("void hand", hand.position, hand.cards, table.rules.game.hand_cards)
    lammers = table.play.lammers - {hand.position}
    return changed(table.with_play(lammers=lammers), rack=(*table.rack, racked), rack_deck=table.play.deck)


def _after_choice(table: Table, event: Event) -> Sequence[Consequence]:
    if event.get("choice") == "void" and not table.play.playing():
        return [("end_round", {})]
    return ()


def _suggest_choice(table: Table) -> Iterable[Command]:
    for hand in table.play.playing():
        if hand.has("choosing"):
            yield Command("choose_hand", player_at(table, hand.position), hand.position, {"choice": "play"})


def _boxed(table: Table, _: Command, __: Moment) -> Mapping[str, Any]:
    found = next((one for one in table.rules.game.irregularity if one.id == "stack_card_exposed"), None)
    if found and found.face_up_too and table.way in found.ways and standing(found.clauses):
        return {"void": "stack_card_exposed"}
    if table.play.boxed:
        return {"void": "cards_face_up"}
    return {"void": None}


def _set_aside(table: Table, _: Event) -> Table:
    play = table.play
    order = (*play.order[: play.dealt], *play.order[play.dealt + 1 :]) if play.order else ()
    card = play.order[play.dealt : play.dealt + 1]
    racked = Racked("found face up", None, card, 1)
    table = table.with_play(boxed=play.boxed + 1, order=order)
    return changed(table, rack=(*table.rack, racked), rack_deck=play.deck)


def _shoe_failed(table: Table, _: Event) -> Table:
    return changed(table, marks=(table.marks | {"shoe_failed"}) - {"shoe_signed"})


def _why_void(table: Table, command: Command) -> Voided:
    name = command.get("irregularity")
    if name:
        return irregularity(table.rules, name)
    if command.get("ruling"):
        return Voided(f"by ruling of the floor: {command.get('ruling')}", (), reshuffle=True)
    found = check_deal(table.rules, command.get("count"), command.get("stub"), table.play.boxed)
    return found or Voided("void by order of the floor", ())


def _void(table: Table, command: Command, _: Moment) -> Mapping[str, Any]:
    """Give every wager back, and take back out of the meter what they put into it."""
    why = _why_void(table, command)
    rest_on(*why.clauses, *law_of(table, "void_round", "returns"))
    made = replace(round_of(table), void=why.reason, void_law=why.clauses)
    payments, meter = _undone(table)
    if table.banked:
        settled = settle(made)
        fees = take_fees(made) if table.play.has("fees") else ()
        payments += [*settled.payments, *refunds(made, fees, settled)]
        return {"payments": tuple(payments), "why": why, "clauses": why.clauses}
    for area in in_order(made):
        if area.status is not Status.VOID:
            back, meter = void_area(made, area, meter, dict(table.play.taken))
            payments += back
    back_out = table.play.taken and reverses(made)
    reversing = law_of(table, "void_round", "reverses") if back_out else ()
    rest_on(*reversing)
    return {
        "payments": tuple(payments),
        "meter": meter,
        "why": why,
        "clauses": (*why.clauses, *reversing),
    }


def _undone(table: Table) -> tuple[list[Payment], Meter | None]:
    """Undo what was settled before the round was found void, in the meter too."""
    gone = {hand.position for hand in table.play.active() if hand.status is Status.VOID}
    moved = [p for p in table.play.payments if p.position not in gone and not _taken_before(p)]
    settled = [p for p in moved if not _ruled_out(table, p)]
    back = [undo(payment, "the round is void") for payment in reversed(settled)]
    if table.meter is None:
        return back, None
    value, reserve = table.meter.value, table.meter.reserve
    for payment in settled:
        for account, sign in ((payment.source, 1), (payment.to, -1)):
            value += sign * payment.units if account.kind is AccountKind.METER else 0
            reserve += sign * payment.units if account.kind is AccountKind.RESERVE else 0
    return back, changed(table.meter, value=value, reserve=reserve)


def _ruled_out(table: Table, payment: Payment) -> bool:
    """Whether a payment only took back what was booked for a wager whose chips were not there."""
    return payment.wager == "progressive" and payment.position not in table.play.taken


def _taken_before(payment: Payment) -> bool:
    if payment.kind is Kind.FEE:
        return True
    return payment.wager == "progressive" and payment.kind in (Kind.COLLECT, Kind.CONTRIBUTION)


def _voided(table: Table, event: Event) -> Table:
    why: Voided = event.get("why")
    table = paid(table, event)
    play = changed(table.play, void=why, lammers=frozenset())
    return ended(changed(table, play=play), removed=why.deck_removed)


_NEXT = Play()


def ended(table: Table, *, removed: bool = False) -> Table:
    """Return the table after a round: its deck used, the next round open for bets."""
    play, name = table.play, table.play.deck
    decks, rack, rack_deck = dict(table.decks), table.rack, name or table.rack_deck
    if name in decks:
        decks[name] = _used(decks[name], removed=removed)
    if removed:
        rack, rack_deck = (), None
    seats = {at: s for at, s in table.seats.items() if not _gone(play, at)}
    banking = changed(table.banking, rounds=table.banking.rounds + 1)
    if banking.seat not in seats:
        banking = changed(banking, seat=None)
    if banking.offering not in seats:
        banking = changed(banking, offering=None)
    return changed(
        table,
        phase=Phase.BETTING,
        decks=decks,
        deck=None if name else table.deck,
        last_deck=name or table.last_deck,
        rounds=table.rounds + 1,
        marks=table.marks | {"begun"},
        rack=rack,
        rack_deck=rack_deck,
        seats=seats,
        play=changed(_NEXT, number=play.number + 1, bank_seat=banking.seat),
        last=changed(play, banker=banker_of(table)),
        banking=banking,
    )


def _used(deck: Deck, *, removed: bool) -> Deck:
    if removed:
        return changed(deck, marks=frozenset({"removed"}), place=Place.REMOVED)
    return changed(deck, marks=(deck.marks - SHUFFLING) | {"played"}, place=Place.RACK, order=(), sealed=None)


def _gone(play: Play, position: int) -> bool:
    hand: Hand | None = play.hands.get(position)
    if hand is None:
        return position == play.bank_seat and play.has("banker_left")
    return hand.has("left")


register(
    Step(
        "expose_card",
        BY_DEALER | FLOOR,
        (Phase.DEALING, Phase.SETTING, Phase.DEALER, Phase.SETTLING),
        (
            sense("no cards are dealt to such a position", _position_dealt),
            sense("the card lies open by law", _exposable),
            sense("no card is dealt yet", lambda t, _: t.play.dealt > 0),
        ),
        outcome=_exposed,
        evolve=_expose,
        then=_if_void,
    ),
    Step(
        "choose_hand",
        BY_PLAYER,
        WITH_CARDS,
        (
            sense("no card of this hand was exposed", lambda t, c: hand_of(t, c).has("choosing")),
            sense("the player has left", lambda t, c: not hand_of(t, c).has("left")),
            sense("is for the player of the hand", lambda t, c: hand_of(t, c).person == c.by.name),
            sense("a choice of void or play", lambda _, c: c.get("choice") in ("void", "play")),
            Guard(
                "unseen",
                "the choice is made without looking at the other cards: the floor is called",
                lambda t, c: c.get("choice") == "play" or not hand_of(t, c).has("looked"),
            ),
        ),
        takes={"choice": str},
        needs="hand",
        outcome=_chosen,
        evolve=_choose,
        then=_after_choice,
        suggest=_suggest_choice,
    ),
    Step(
        "boxed_card",
        BY_DEALER,
        (Phase.STARTING, Phase.DEALING),
        (
            sense("the cards are dealt", lambda t, _: t.play.dealt < whole_deal(t)),
            sense("the deal has not begun", lambda t, _: t.play.start is not None),
            sense("no deck is loaded", lambda t, _: t.in_play is not None),
        ),
        outcome=_boxed,
        evolve=_set_aside,
        then=_if_void,
    ),
    Step(
        "draw_early",
        BY_DEALER,
        (Phase.STARTING, Phase.DEALING),
        (
            sense("the cards are dealt", lambda t, _: t.play.dealt < whole_deal(t)),
            sense("the deal has not begun", lambda t, _: t.play.start is not None),
            sense("no deck is loaded", lambda t, _: t.in_play is not None),
        ),
        evolve=lambda t, _: t.mark_play("drawn_early"),
    ),
    Step(
        "shoe_fault",
        BY_DEALER_OR_DEVICE,
        (Phase.STARTING, Phase.DEALING),
        (
            sense("the table deals another way", lambda t, _: t.way == "automated_shoe"),
            sense("the cards are dealt", lambda t, _: t.play.dealt < whole_deal(t)),
        ),
        outcome=lambda _, __, ___: {"void": "shoe_failed"},
        evolve=_shoe_failed,
        then=_if_void,
    ),
    Step(
        "void_round",
        BY_LAW,
        WITH_CARDS,
        takes={"irregularity?": str, "count?": dict, "stub?": int, "ruling?": str},
        outcome=_void,
        evolve=_voided,
    ),
    Step("end_round", BY_LAW, WITH_CARDS, evolve=lambda t, _: ended(t)),
    Step(
        "stop_round",
        BY_DEALER | FLOOR,
        (Phase.BETTING, *IN_ROUND),
        (sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),),
        takes={"reason": str},
        evolve=lambda t, e: t.with_play(stopped=e.get("reason")),
    ),
    Step(
        "rule_round",
        FLOOR,
        (Phase.BETTING, *IN_ROUND),
        (
            sense("the round is not stopped", lambda t, _: t.play.stopped is not None),
            sense(f"a ruling is {', '.join(RULINGS)}", lambda _, c: c.get("ruling") in RULINGS),
            sense("a foul is void or loses; anything else is void or played on", _fits_the_stop),
            sense("before no more bets the wagers are taken back: nothing is void", _begun),
            sense("the reason is put on record", lambda _, c: bool(c.get("reason", "").strip())),
        ),
        takes={"ruling": str, "reason": str},
        while_stopped=True,
        evolve=_ruled,
        then=_after_ruling,
    ),
)
