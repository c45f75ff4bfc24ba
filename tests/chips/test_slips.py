"""Fills and credits: asked for, approved by another, counted by the dealer to the chip."""

from __future__ import annotations

import pytest

from houseway.chips import Chips, chip_problems
from houseway.chips.actions import (
    ApproveCredit,
    ApproveFill,
    BringChips,
    CountCloser,
    ReceiveFill,
    RequestCredit,
    RequestFill,
    SendCredit,
    VoidSlip,
)
from houseway.ledger import INVENTORY, player
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from tests.chips.support import AMY, ANN, DEB, FAY, FLO, FLOAT, FLOAT_VALUE, MAX, Book

CHIPS: Chips = {500: 100, 10000: 10}  # $1,500


@pytest.fixture
def book() -> Book:
    return Book().opened()


def test_a_fill_comes_from_the_cage_when_it_is_counted_in(book: Book) -> None:
    assert book.do(RequestFill(CHIPS), FLO).outcome.serial == "F-0001"
    book.do(ApproveFill("F-0001"), AMY)
    assert book.tray.value == FLOAT_VALUE
    book.do(ReceiveFill("F-0001", CHIPS), DEB)
    assert book.tray.value == FLOAT_VALUE + 1_500_00 and not book.tray.slips
    assert book.tray.inventory[500] == 300 and book.tray.figures.fills == 1_500_00
    book.check()


def test_a_credit_goes_to_the_cage_when_it_is_counted_out(book: Book) -> None:
    assert book.do(RequestCredit(CHIPS), MAX).outcome.serial == "C-0001"
    book.do(ApproveCredit("C-0001"), FLO)
    book.do(SendCredit("C-0001", CHIPS), DEB)
    assert book.tray.value == FLOAT_VALUE - 1_500_00
    assert book.tray.inventory[10000] == 40 and book.tray.figures.credits == 1_500_00
    book.check()


def test_who_asked_does_not_approve_in_whatever_capacity(book: Book) -> None:
    book.do(RequestFill(CHIPS), FLO)
    for same in (FLO, Actor("flo ", Role.MANAGER)):
        assert book.refused(ApproveFill("F-0001"), same) == [
            "approve_fill.by: a slip must be approved by another person than its requester"
        ]
    book.do(ApproveFill("F-0001"), FAY)
    assert book.refused(ApproveFill("F-0001"), MAX) == ["approve_fill.serial: the slip is approved already"]


def test_who_asked_or_approved_does_not_count(book: Book) -> None:
    book.do(RequestFill(CHIPS), FLO)
    book.do(ApproveFill("F-0001"), FAY)
    for name in ("Flo", "Fay"):
        assert book.refused(ReceiveFill("F-0001", CHIPS), Actor(name, Role.DEALER)) == [
            "receive_fill.by: those who requested or approved chips cannot count them"
        ]


@pytest.mark.parametrize("found", [{500: 99, 10000: 10}, {500: 101, 10000: 10}, {500: 300}, {}])
def test_a_fill_that_differs_from_its_slip_is_refused(book: Book, found: Chips) -> None:
    book.do(RequestFill(CHIPS), FLO)
    book.do(ApproveFill("F-0001"), AMY)
    reasons = book.refused(ReceiveFill("F-0001", found), DEB)
    assert [reason for reason in reasons if "the slip says" in reason] == [
        f"receive_fill.chips: the slip says {CHIPS[kind]} chips of {kind // 100} dollars"
        for kind in CHIPS
        if found.get(kind, 0) != CHIPS[kind]
    ]
    book.do(VoidSlip("F-0001", "a rack was short"), FLO, FAY)
    assert book.do(RequestFill(CHIPS), FLO).outcome.serial == "F-0002"


def test_nothing_is_counted_before_it_is_approved_nor_twice(book: Book) -> None:
    book.do(RequestFill(CHIPS), FLO)
    assert book.refused(ReceiveFill("F-0001", CHIPS), DEB) == [
        "receive_fill.serial: the slip must be approved first"
    ]
    assert book.refused(SendCredit("F-0001", CHIPS), DEB)[0] == (
        "send_credit.serial: no such credit is under way"
    )
    book.do(ApproveFill("F-0001"), AMY)
    book.do(ReceiveFill("F-0001", CHIPS), DEB)
    assert book.refused(ReceiveFill("F-0001", CHIPS), DEB) == [
        "receive_fill.serial: no such fill is under way"
    ]


def test_a_credit_is_no_more_than_the_tray_holds(book: Book) -> None:
    book.do(RequestCredit(FLOAT), FLO)
    assert "the tray holds $11,100" in book.refused(RequestCredit({**FLOAT, 100: 101}), FLO)[0]


def test_a_slip_is_voided_by_two_people_with_a_reason(book: Book) -> None:
    book.do(RequestFill(CHIPS), FLO)
    assert book.refused(VoidSlip("F-0001", " "), FLO, FLO) == [
        "void_slip.second: to void slip needs two different people",
        "void_slip.reason: the reason is put on record",
    ]
    assert book.refused(VoidSlip("F-0001", "late"), FLO) == [
        "void_slip.second: to void slip needs two people"
    ]


def test_a_shift_does_not_close_over_a_slip_under_way(book: Book) -> None:
    book.do(RequestFill(CHIPS), FLO)
    assert book.refused(CountCloser(FLOAT), DEB, FLO) == [
        "count_closer.slips: the slip is still open: carry it out or void it first"
    ]


@pytest.mark.parametrize("by", [DEB, ANN, AMY])
def test_only_the_floor_asks_for_chips(book: Book, by: Actor) -> None:
    assert book.refused(RequestFill(CHIPS), by) == [
        "request_fill.by: to request fill is for floorperson or manager"
    ]


@pytest.mark.parametrize(
    ("counted", "values"),
    [
        ({100: 3, 500: 99, 10000: 12}, ["3", "99", "12"]),
        ({100: 1}, ["1", "0", "0"]),
        ({100: 2, 500: 101}, ["2", "101", "0"]),
    ],
)
def test_what_was_counted_is_told_beside_what_the_slip_says(
    book: Book, counted: Chips, values: list[str]
) -> None:
    book.do(RequestFill(CHIPS), FLO)
    book.do(ApproveFill("F-0001"), AMY)
    problems = chip_problems(book.tray, ReceiveFill("F-0001", counted), DEB, None, book.now, book.config)
    assert [problem.reason for problem in problems] == [
        "the slip says 0 chips of 1 dollars",
        "the slip says 100 chips of 5 dollars",
        "the slip says 10 chips of 100 dollars",
    ]
    assert [problem.value for problem in problems] == values


def test_slips_of_each_kind_are_numbered_by_themselves_and_carried_out_apart(book: Book) -> None:
    fills = [book.do(RequestFill({500: number}), FLO).outcome.serial for number in (1, 2)]
    sent = [book.do(RequestCredit({100: number}), FLO).outcome.serial for number in (1, 2, 3)]
    assert (fills, sent) == (["F-0001", "F-0002"], ["C-0001", "C-0002", "C-0003"])
    assert (book.tray.fills, book.tray.credits) == (2, 3)
    book.do(ApproveFill("F-0002"), AMY)
    book.do(ApproveCredit("C-0003"), AMY)
    assert book.refused(ApproveCredit("F-0001"), AMY) == [
        "approve_credit.serial: no such credit is under way"
    ]
    assert book.refused(ApproveFill("C-0001"), AMY) == ["approve_fill.serial: no such fill is under way"]
    book.do(ReceiveFill("F-0002", {500: 2}), DEB)
    book.do(SendCredit("C-0003", {100: 3}), DEB)
    assert set(book.tray.slips) == {"F-0001", "C-0001", "C-0002"}
    assert (book.tray.figures.fills, book.tray.figures.credits) == (10_00, 3_00)
    assert book.tray.moved == {100: -3, 500: 2}
    assert book.refused(VoidSlip("F-0009", "late"), FLO, FAY) == [
        "void_slip.serial: no such slip is under way"
    ]
    book.do(VoidSlip("C-0001", "late"), FLO, FAY)
    assert set(book.tray.slips) == {"F-0001", "C-0002"}
    book.check()


@pytest.mark.parametrize(("cents", "allowed"), [(-1, False), (0, True)])
def test_a_credit_is_covered_by_the_tray_to_the_cent(book: Book, cents: int, allowed: bool) -> None:
    book.do(BringChips("Ann", Cents(10_00)), FLO)
    book.play((10_00 + cents, player("Ann"), INVENTORY))
    action = RequestCredit({**FLOAT, 100: 110})
    if allowed:
        book.do(action, FLO)
    else:
        assert "the tray holds $11,109.99" in book.refused(action, FLO)[0]
