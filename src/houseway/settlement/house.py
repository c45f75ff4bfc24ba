"""The house's games: main wager, Double Down, side wagers, progressive and envy, in the law's order."""

from __future__ import annotations

from operator import attrgetter

from msgspec.structs import replace

from houseway.errors import IllegalError
from houseway.games import Rules
from houseway.games.game import WagerTerms
from houseway.games.paytables import AwardSource
from houseway.law.citations import UNCITED, Cites, join_cites
from houseway.ledger import Movement, player, units
from houseway.meters import Meter, award_fixed, award_share, contribute, reverse_contribution
from houseway.money import Basis, Cents, dollars
from houseway.ranking import Race, tell_race, verify_split
from houseway.settlement.envy import owed
from houseway.settlement.model import (
    DOUBLE_DOWN,
    HOUSE,
    MAIN,
    PROGRESSIVE,
    Area,
    Payment,
    PaymentKind,
    Settlement,
    Showdown,
    Spot,
    Status,
    spots,
)
from houseway.settlement.sides import abandonment, line_for, settle_side, stands_after_foul, tell_line

_SURRENDERED, _ABANDONED = Status.SURRENDERED, Status.ABANDONED
_PLAYED, _LOSE = Status.PLAYED, Basis.LOSE


def settle_house(table: Showdown) -> Settlement:
    """Settle a whole table against the house; a void round gives every wager back."""
    locked, meter, taken = lock_progressive(table) if table.locked else ([], table.meter, {})
    if table.void is not None:
        return _void(table, locked, meter, taken)
    payments, races = list(locked), {}
    # A void hand is no hand: what it put into the meter is out again before anyone is paid from it.
    for area in in_order(table):
        if area.status is Status.VOID:
            back, meter = void_area(table, area, meter, taken)
            payments += back
    for area in in_order(table):
        if area.status is Status.VOID:
            continue
        ended, outcome = settle_main(table, area)
        foul = outcome is not None and bool(outcome.fouls)
        if outcome:
            races[area.position] = outcome
        ended += settle_double_down(table, area, outcome)
        for terms in table.rules.game.wager:
            if terms.family == "bonus":
                ended += settle_side(table, area, terms.id, outcome)
        payments += hold_to_limit(table, ended)
        paid, meter = settle_progressive(table, area, meter, foul=foul)
        payments += paid
    for terms in table.rules.game.wager:
        payments += pay_envy(table, terms.id)
    return Settlement(tuple(payments), meter, races)


def in_order(table: Showdown) -> list[Area]:
    """Return the areas as they are settled: from the dealer's far right, counterclockwise.

    Positions rise counterclockwise from the dealer, so the lowest comes first. Where the operator's
    approved controls order otherwise the round says so by an order policy.
    """
    return sorted(table.areas, key=attrgetter("position"), reverse=_clockwise(table.rules))


def _clockwise(rules: Rules) -> bool:
    meter = rules.game.meter
    if meter and not meter.order.binds:
        return True
    return rules.internal_controls() is not None


def lock_progressive(table: Showdown) -> tuple[list[Payment], Meter | None, dict[int, tuple[Movement, ...]]]:
    """Take the progressive wagers into the inventory, and the meter's part of them into the meter."""
    payments: list[Payment] = []
    meter, dealing = table.meter, table.rules.submission.table.dealing or ""
    taken: dict[int, tuple[Movement, ...]] = {}
    taken_by = "booked by COIN IN" if "coin_in" in table.rules.game.procedure else "taken at no more bets"
    for area in in_order(table):
        for spot in spots(area, PROGRESSIVE):
            if meter is None:
                raise IllegalError("a progressive wager and no meter", value=area.position)
            law = table.rules.terms(PROGRESSIVE).taken.get(dealing, UNCITED)
            meter, moved = contribute(meter, spot.stake)
            taken[area.position] = taken.get(area.position, ()) + moved
            payments += spot.collect(spot.stake, HOUSE, taken_by, law)
            payments += [spot.carry(movement, PaymentKind.CONTRIBUTION) for movement in moved]
    return payments, meter, taken


def _void(
    table: Showdown, locked: list[Payment], meter: Meter | None, taken: dict[int, tuple[Movement, ...]]
) -> Settlement:
    payments = list(locked)
    for area in in_order(table):
        back, meter = void_area(table, area, meter, taken)
        payments += back
    return Settlement(tuple(payments), meter)


def void_area(
    table: Showdown, area: Area, meter: Meter | None, taken: dict[int, tuple[Movement, ...]]
) -> tuple[list[Payment], Meter | None]:
    """Give back every wager on a void hand, the progressive's chips and contribution too.

    Where reading six:D8 is taken so, a player who voids the hand alone loses its wagers.
    """
    if table.void is None and not returns_void_hand(table.rules):
        return _collect_void(table, area, taken), meter
    why = f"void: {table.void}" if table.void else "the hand is void"
    law = table.void_law if table.void else area.void_law
    payments: list[Payment] = []
    for terms in table.rules.game.wager:
        for spot in spots(area, terms.id):
            if terms.id == PROGRESSIVE and area.position in taken:
                payments += spot.pay(spot.stake, HOUSE, why, law, PaymentKind.RETURN)
            else:
                payments += spot.give_back(spot.stake, why, law)
    moved = taken.get(area.position, ())
    if meter is not None and moved and reverses(table):
        meter, back = reverse_contribution(meter, moved, why)
        spot = Spot(area.position, area.person, PROGRESSIVE, area.bettor.amount(PROGRESSIVE))
        payments += [spot.carry(m, PaymentKind.REVERSAL) for m in back]
    return payments, meter


def returns_void_hand(rules: Rules) -> bool:
    """Whether the wagers on a hand that its player voids are given back (reading six:D8)."""
    return rules.readings.get("six_voided_hand_wagers") != "stand"


def _collect_void(table: Showdown, area: Area, taken: dict[int, tuple[Movement, ...]]) -> list[Payment]:
    """Collect the wagers on a void hand; the progressive's chips are in the inventory already."""
    payments: list[Payment] = []
    for terms in table.rules.game.wager:
        for spot in spots(area, terms.id):
            if terms.id != PROGRESSIVE or area.position not in taken:
                why = "the hand is void, its wagers are not returned"
                payments += spot.collect(spot.stake, HOUSE, why, area.void_law)
    return payments


def reverses(table: Showdown) -> bool:
    """Whether a void wager's contribution comes out of the meter again."""
    readings = table.rules.readings
    chosen = readings.get("void_reverses_meter", readings.get("six_void_reverses_meter", "reverse"))
    return chosen == "reverse"


def settle_main(
    table: Showdown, area: Area, outcome: Race | None = None
) -> tuple[list[Payment], Race | None]:
    """Settle the main wager: by surrender, by the floor, by a foul, or by the race, which may be given."""
    rules, game = table.rules, table.rules.game
    payments: list[Payment] = []
    raced: WagerTerms | None = None
    if area.status is _SURRENDERED:
        _may_surrender(table, area)
        ended: tuple[str, str, Cites] = ("lose", "surrendered: the whole wager", game.surrender)
    elif area.status is _ABANDONED:
        ended = ("lose", "abandoned by decision of the floor", abandonment(rules))
    else:
        outcome = outcome or run_race(table, area)
        text = tell_race(rules.ranking(), outcome)
        ended, raced = (outcome.result, text, join_cites(outcome.clauses)), rules.terms(MAIN)
    for spot in spots(area, MAIN):
        payments += _end_main(rules, spot, *ended, raced)
    return payments, outcome


def _end_main(
    rules: Rules, spot: Spot, result: str, why: str, law: Cites, raced: WagerTerms | None
) -> list[Payment]:
    """Take the main wager, or give it back, with the winnings if it wins."""
    if raced is not None:
        law += raced.wins if result == "win" else raced.pushes if result == "push" else raced.loses
    if result == "lose":
        return spot.collect(spot.stake, HOUSE, f"loses ({why})", law)
    payments = spot.give_back(spot.stake, f"{result} ({why}): stake back", law)
    if result == "win":
        line = rules.line(MAIN, "win")
        won = line.pays.won(spot.stake)
        payments += spot.pay(won, HOUSE, f"wins {line.pays} ({why})", law + line.clauses)
    return payments


def _may_surrender(table: Showdown, area: Area) -> None:
    """Refuse a surrender where the game has none, or where the player has an optional wager."""
    game = table.rules.game
    if not game.surrender:
        raise IllegalError("this game has no surrender", value=area.position)
    beside = [terms.id for terms in game.wager if terms.id != MAIN and area.bettor.amount(terms.id)]
    law = game.surrender_alone
    if beside and law:
        raise IllegalError("no surrender beside an optional wager", value=", ".join(beside), clauses=law)


def run_race(table: Showdown, area: Area) -> Race:
    """Compare a hand with the dealer's; one that is no setting of its cards loses, or is refused."""
    if area.setting is None:
        raise IllegalError("the hand is not set", value=area.position)
    order = table.rules.ranking()
    wrong = verify_split(order, area.cards, area.setting)
    if wrong:
        if order.document.split.wrong == "refused":
            raise IllegalError(
                "not a setting of the dealt cards", value=area.position, clauses=wrong[0].clauses
            )
        return Race("lose", (), wrong, tuple(c for p in wrong for c in p.clauses))
    return table.raced_by(area.setting)


def dealer_qualifies(table: Showdown) -> bool:
    """Whether the dealer's cards are high enough for the Double Down to play."""
    return table.rules.ranking().qualifies("double_down_qualifier", table.dealer_cards)


def settle_double_down(table: Showdown, area: Area, outcome: Race | None) -> list[Payment]:
    """Settle the Double Down as the main wager went, if the dealer qualifies; else give it back."""
    payments: list[Payment] = []
    rules = table.rules
    for spot in spots(area, DOUBLE_DOWN):
        if outcome is None:
            payments += spot.collect(
                spot.stake, HOUSE, "abandoned by decision of the floor", abandonment(rules)
            )
            continue
        result = outcome.result if dealer_qualifies(table) else "unqualified"
        payments += _end_double(rules, spot, result)
    return payments


def _end_double(rules: Rules, spot: Spot, result: str) -> list[Payment]:
    """Take the Double Down or give it back, with the winnings if it wins."""
    terms = rules.terms(DOUBLE_DOWN)
    if result == "unqualified":
        return spot.give_back(spot.stake, "the dealer has less than a pair of eights", terms.stands)
    if result == "lose":
        return spot.collect(spot.stake, HOUSE, "loses with the main wager", terms.loses)
    law = terms.wins if result == "win" else terms.pushes
    payments = spot.give_back(spot.stake, f"{result} with the main wager: stake back", law)
    if result == "win":
        line = rules.line(DOUBLE_DOWN, "win")
        reason = f"wins {line.pays} with the main wager"
        payments += spot.pay(line.pays.won(spot.stake), HOUSE, reason, law + line.clauses)
    return payments


def hold_to_limit(table: Showdown, payments: list[Payment]) -> list[Payment]:
    """Hold what a hand wins to the payout limit, where the law knows one and the submission set it."""
    limit = table.rules.submission.payout_limit
    permitted = table.rules.permit_clauses("payout_limit")
    if limit is None or not permitted:
        return payments
    whole_hand = table.rules.readings.get("payout_cap_scope") != "bonus_only"
    left = units(limit)
    limited: list[Payment] = []
    for payment in payments:
        counts = payment.kind is PaymentKind.PAY and (whole_hand or payment.wager != MAIN)
        if not counts or payment.units <= left:
            left -= payment.units if counts else 0
            limited.append(payment)
            continue
        reason = f"{payment.reason}, held to the payout limit of {dollars(limit)}"
        if left:
            limited.append(
                replace(payment, units=left, reason=reason, clauses=(*payment.clauses, *permitted))
            )
        left = 0
    return limited


def settle_progressive(
    table: Showdown,
    area: Area,
    meter: Meter | None,
    *,
    foul: bool,
    prize: Cents | None = None,
    source: AwardSource | None = None,
) -> tuple[list[Payment], Meter | None]:
    """Pay a progressive wager by its line: a share of the meter as it stands now, or a fixed award.

    Where a win was recorded before it is paid, the share is the prize that was recorded. A fixed award comes
    from where the rules submission says, or from the source that is named.
    """
    payments: list[Payment] = []
    for spot in spots(area, PROGRESSIVE):
        if meter is None or area.status is not _PLAYED:
            continue
        if foul and not stands_after_foul(table.rules, PROGRESSIVE, foul=foul):
            continue
        terms = table.rules.terms(PROGRESSIVE)
        line = line_for(table.rules, PROGRESSIVE, area)
        if line.pays.basis is _LOSE:
            terms.loses.require()
            continue
        controls = table.rules.internal_controls()
        ordered = table.rules.permit_clauses("progressive.order_policy") if controls else ()
        law = join_cites(terms.wins, line.clauses, ordered)
        law.require()
        if line.pays.basis is Basis.METER:
            shown = table.rules.game.meter
            (shown.showing if shown else UNCITED).require()
            meter, moved = award_share(meter, line.pays.ratio, player(spot.person), law, prize)
        elif (source or table.rules.award_source(PROGRESSIVE, line.hand)) is AwardSource.METER:
            meter, moved = award_fixed(meter, line.pays.returned(spot.stake), player(spot.person), law)
        else:
            payments += spot.pay(
                line.pays.returned(spot.stake), HOUSE, f"{tell_line(line)} pays {line.pays}", law
            )
            continue
        note = f", in the order of internal controls {controls}" if controls else ""
        payments += [_award_payment(spot, movement, note) for movement in moved]
    return payments, meter


def _award_payment(spot: Spot, movement: Movement, note: str) -> Payment:
    """Return what a meter pays, or is paid when it is seeded again, as a payment of the wager."""
    if movement.to != player(spot.person):
        return spot.carry(movement, PaymentKind.SEED)
    payment = spot.carry(movement, PaymentKind.PAY)
    return replace(payment, reason=f"{payment.reason}{note}") if note else payment


def pay_envy(table: Showdown, wager: str) -> list[Payment]:
    """Pay the Envy Bonuses of a wager once every wager that earns them is settled."""
    payments: list[Payment] = []
    for due in owed(table, wager):
        reason = f"envy of the {due.hand.replace('_', ' ')} at {due.holder}"
        payments += due.spot.pay(due.amount, HOUSE, reason, due.clauses, PaymentKind.ENVY)
    return payments
