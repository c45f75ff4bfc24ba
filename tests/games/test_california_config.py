"""What a cardroom may and must choose in California, clause by clause."""

from __future__ import annotations

from datetime import date

import pytest

from houseway.cards import Deck
from houseway.games import game, verify_active, verify_wagers
from houseway.games.opening import Felt, Notice, Opening, Pack, verify_open
from houseway.games.paytables import EnvyLine, Line
from houseway.games.wagers import verify_bettors
from houseway.law import Problem
from houseway.money import Cents, Odds, cents
from tests.games.support import NOTHING, OWN_FORTUNE, Changes, accepted, problems, refused, rules

clause = pytest.mark.clause
CA = "ca-fpgp"
PACK = Pack(cards=53, jokers=1)


def on(schedule: int, **changes: object) -> Changes:
    return {"collection_schedule": schedule, **changes}


def placed(schedule: int, main: str, fortune: str = "0") -> tuple[Problem, ...]:
    return verify_wagers(rules(CA, on(schedule)), {"main": cents(main), "fortune": cents(fortune)})


def cites(found: tuple[Problem, ...]) -> set[str]:
    return {c for p in found for c in p.clauses}


@clause("ca.fpgp.deck.cards")
def test_53_cards() -> None:
    assert game(CA).cards() == Deck.standard()


@clause("ca.fpgp.table.seats")
def test_seven_seats_the_player_dealers_included() -> None:
    law = "ca.fpgp.table.seats"
    assert accepted(CA, {"table.seats": 7})
    assert refused(CA, {"table.seats": 8}, law)
    for positions, seats, fine in ((8, 7, False), (9, 8, False), (8, 8, True), (8, 9, True), (7, 9, True)):
        sizes = {"table.larger": True, "table.positions": positions, "table.seats": seats}
        assert refused(CA, sizes, law) is not fine and accepted(CA, sizes) is fine, sizes
        assert not refused(CA, sizes | {"table.seats": NOTHING}, law)


@clause("ca.fpgp.table.larger")
def test_a_larger_table_has_at_most_seven_active() -> None:
    large = rules(CA, {"table.larger": True, "table.seats": 9})
    assert verify_active(large, 6) == ()
    assert verify_active(large, 7) == ()
    assert cites(verify_active(large, 8)) == {"ca.fpgp.table.larger"}


@clause("ca.fpgp.table.backline")
def test_backline_betting_is_allowed_where_chosen() -> None:
    assert verify_bettors(rules(CA), 2) == ()
    assert cites(verify_bettors(rules(CA, {"table.backline": False}), 1)) == {"ca.fpgp.table.backline"}


@clause("ca.fpgp.deal.method")
def test_a_shuffling_machine_or_manual_dealing() -> None:
    assert accepted(CA, {"table.dealing": "shuffler"})
    assert accepted(CA, {"table.dealing": "manual"})
    assert refused(CA, {"table.dealing": NOTHING}, "ca.fpgp.deal.method")
    assert refused(CA, {"table.dealing": "hand"}, "ca.fpgp.deal.method")


OWN: Changes = {"wagers.fortune.own_paytable": OWN_FORTUNE}
ENVY: Changes = {
    "wagers.fortune.own_paytable": OWN_FORTUNE | {"envy": [{"hand": "four_of_a_kind", "pays": "$6"}]}
}


@clause("ca.fpgp.bonus.table")
def test_the_approved_bonus_table_changes_only_by_approval() -> None:
    assert refused(CA, OWN, "ca.fpgp.bonus.table")
    assert accepted(CA, OWN | {"approvals.fortune_paytable": "BGC-1"})
    assert rules(CA).paytable("fortune").id == "approved"


@clause("ca.fpgp.envy.table")
def test_the_approved_envy_table_changes_only_by_approval() -> None:
    one: Changes = ENVY | {"approvals.fortune_paytable": "BGC-1"}
    assert refused(CA, one, "ca.fpgp.envy.table")
    assert accepted(CA, one | {"approvals.envy_table": "BGC-2"})


def test_one_of_43_collection_schedules_is_chosen() -> None:
    assert accepted(CA, on(1)) and accepted(CA, on(43))
    (unknown,) = problems(CA, on(44))
    assert unknown.reason == "there are schedules 1 to 43"
    (none,) = problems(CA, {"collection_schedule": NOTHING})
    assert none.reason == "a collection schedule is chosen before the table opens"


@clause("ca.fpgp.collect.review.zero")
def test_zero_collection_schedules_show_the_review_notice() -> None:
    law = "ca.fpgp.collect.review.zero"
    opening = Opening(packs=(PACK,))
    for schedule in (7, 32):
        unread = verify_open(rules(CA, on(schedule)), opening)
        assert [(p.clauses, p.blocks) for p in unread] == [((law,), True)]
        read = verify_open(rules(CA, on(schedule, acknowledged=[law])), opening)
        assert [(p.clauses, p.blocks) for p in read] == [((law,), False)]
    assert verify_open(rules(CA, on(33)), opening) == ()
    assert verify_open(rules(CA, on(40)), opening) == ()


CEASE = Notice(status="cease", source="Bureau letter 12", dated=date(2016, 7, 1))


@clause("ca.fpgp.collect.review.3")
def test_an_order_to_cease_keeps_every_table_shut() -> None:
    shut = verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE,)))
    assert [p.clauses for p in shut if p.blocks] == [("ca.fpgp.collect.review.3",)]
    lifted = Notice(status="cleared", source="Bureau letter 13", dated=date(2016, 8, 1))
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(lifted, CEASE))) == ()
    for other in ("under_review", "unlawful"):  # only a notice that the game is cleared lifts the order
        later = Notice(status=other, source="Bureau letter 13", dated=date(2016, 8, 1))
        assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE, later))) == shut
    same_day = Notice(status="cleared", source="Bureau letter 11", dated=CEASE.dated)
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(same_day, CEASE))) == shut
    assert verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE, same_day))) == ()


@clause("ca.fpgp.collect.review.4")
def test_nobody_overrides_an_order_to_cease() -> None:
    tried = verify_open(rules(CA), Opening(packs=(PACK,), notices=(CEASE,), override_by="supervisor 17"))
    assert any(p.clauses == ("ca.fpgp.collect.review.4",) and p.blocks for p in tried)


@clause("ca.fpgp.layout.paytable_match")
def test_the_felt_must_print_the_table_in_force() -> None:
    table = game(CA).find_paytable("fortune", "approved")
    felt = Felt(lines=table.lines, envy=game(CA).envy[0].lines)
    assert verify_open(rules(CA), Opening(packs=(PACK,), felt=felt)) == ()
    top = Line(hand="seven_card_straight_flush", pays=Odds.parse("8,000 to 1"))
    wrong = Felt(lines=(top, *table.lines[1:]), envy=felt.envy)
    found = verify_open(rules(CA), Opening(packs=(PACK,), felt=wrong))
    assert [(p.clauses, p.value) for p in found] == [(("ca.fpgp.layout.paytable_match",), "8,000 to 1")]
    envy = (EnvyLine(hand="four_of_a_kind", pays=Cents(600)), *felt.envy[:-1])
    assert verify_open(rules(CA), Opening(packs=(PACK,), felt=Felt(lines=table.lines, envy=envy)))


ANY_SIZE = [
    ("ca.fpgp.collect.s1_32.bonus_any_size", 17, [("$10", "$100"), ("$100", "$10"), ("$50", "$50")]),
    ("ca.fpgp.collect.s33_36.bonus_any_size", 34, [("$10", "$100"), ("$100", "$10"), ("$50", "$50")]),
    ("ca.fpgp.collect.s37_43.bonus_any_size", 40, [("$10", "$100"), ("$100", "$10"), ("$50", "$50")]),
]


@pytest.mark.parametrize(
    ("schedule", "pairs"), [pytest.param(s, p, marks=clause(c), id=c) for c, s, p in ANY_SIZE]
)
def test_the_bonus_may_be_smaller_equal_or_larger(schedule: int, pairs: list[tuple[str, str]]) -> None:
    for main, bonus in pairs:
        assert placed(schedule, main, bonus) == ()


BONUS_LIMITS = [
    ("ca.fpgp.collect.s1_32.bonus_in_limits", 27, "$100", ["$99"], ["$100", "$101", "$2,000"]),
    ("ca.fpgp.collect.s33_36.bonus_in_limits", 33, "$10", ["$5", "$9"], ["$10", "$11"]),
    ("ca.fpgp.collect.s37_43.bonus_in_limits", 37, "$10", ["$9", "$201"], ["$10", "$200"]),
]


@pytest.mark.parametrize(
    ("law", "schedule", "main", "bad", "good"),
    [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in BONUS_LIMITS],
)
def test_the_bonus_lies_within_the_table_limits(
    law: str, schedule: int, main: str, bad: list[str], good: list[str]
) -> None:
    for bonus in bad:
        assert law in cites(placed(schedule, main, bonus)), bonus
    for bonus in good:
        assert placed(schedule, main, bonus) == (), bonus


TABLE_LIMITS = [
    ("ca.fpgp.collect.s1_32.table_limit", 22, ["$24", "$1,001"], ["$25", "$26", "$1,000"]),
    ("ca.fpgp.collect.s33_36.table_limit", 34, ["$9", "$2,001"], ["$10", "$11"]),
    ("ca.fpgp.collect.s37_43.table_limit", 37, ["$9", "$201"], ["$10", "$200"]),
]


@pytest.mark.parametrize(
    ("law", "schedule", "bad", "good"),
    [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in TABLE_LIMITS],
)
def test_the_schedules_table_limit_bounds_each_spot(
    law: str, schedule: int, bad: list[str], good: list[str]
) -> None:
    for main in bad:
        assert law in cites(placed(schedule, main)), main
    for main in good:
        assert placed(schedule, main) == (), main


def test_limits_hold_spot_by_spot_and_a_spot_without_a_rate_is_refused() -> None:
    assert placed(22, "$1,000", "$1,000") == ()
    assert placed(37, "$200", "$200") == ()
    assert cites(placed(34, "$300")) == {"ca.fpgp.collection.34"}
