"""Whatever is done with chips in whatever order: nothing is made or lost, and the turns are the tray."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given, settings
from msgspec.structs import replace

from houseway.chips import ChipAction, ChipTurn, Tray, apply_movements, chips_of, evolve_chips
from houseway.chips.actions import (
    ApproveCredit,
    ApproveFill,
    BringChips,
    BuyIn,
    CashOut,
    CloseShift,
    ColourUp,
    CountCloser,
    CountDrop,
    CountOpener,
    ReceiveFill,
    RequestCredit,
    RequestFill,
    RollDay,
    SendCredit,
    TakeChips,
    TakeDrop,
    VoidSlip,
    value_of,
)
from houseway.law.problems import RefusedError
from houseway.ledger import COLLECTIONS, INVENTORY, Account, AccountKind, Movement, pending, player, units
from houseway.money import Cents
from houseway.rounds.codec import decode, encode
from houseway.rounds.step import Actor
from tests.chips.support import AMY, ART, DEB, FAY, FLO, MAX, Book

METER = Account(AccountKind.METER, "link")
PEOPLE = st.sampled_from(["Ann", "Bob"])
AMOUNT = st.integers(-1, 3_000).map(lambda dollars: Cents(dollars * 100))
CHIPS = st.dictionaries(st.sampled_from([100, 500, 2500, 10000]), st.integers(0, 12), max_size=3)
SERIAL = st.sampled_from(["F-0001", "F-0002", "C-0001", "C-0002"])
ACTIONS = st.one_of(
    st.builds(lambda person, chips: BuyIn(person, value_of(chips), chips), PEOPLE, CHIPS),
    st.builds(BuyIn, PEOPLE, AMOUNT),
    st.builds(CashOut, PEOPLE, AMOUNT),
    st.builds(lambda person, n: ColourUp(person, {500: 5 * n}, {2500: n}), PEOPLE, st.integers(0, 4)),
    st.builds(BringChips, PEOPLE, AMOUNT),
    st.builds(TakeChips, PEOPLE, AMOUNT),
    st.builds(RequestFill, CHIPS),
    st.builds(RequestCredit, CHIPS),
    st.builds(ApproveFill, SERIAL),
    st.builds(ApproveCredit, SERIAL),
    st.builds(ReceiveFill, SERIAL, CHIPS),
    st.builds(SendCredit, SERIAL, CHIPS),
    st.builds(VoidSlip, SERIAL, st.sampled_from(["", "late"])),
    st.builds(CountOpener, CHIPS, st.sampled_from(["", "short"])),
    st.builds(CountCloser, CHIPS, st.sampled_from(["", "short"])),
    st.builds(TakeDrop, st.sampled_from(["1", "2"])),
    st.builds(CountDrop, st.sampled_from(["1", "2"]), AMOUNT, st.sampled_from(["", "torn"])),
    st.just(CloseShift()),
    st.just(RollDay()),
)
WHO: dict[object, tuple[Actor, Actor | None]] = {
    RequestFill: (FLO, None),
    RequestCredit: (FLO, None),
    ApproveFill: (MAX, None),
    ApproveCredit: (AMY, None),
    VoidSlip: (FLO, FAY),
    CountOpener: (DEB, FLO),
    CountCloser: (DEB, FLO),
    TakeDrop: (FLO, FAY),
    CountDrop: (AMY, ART),
    CloseShift: (FLO, None),
    RollDay: (FLO, None),
}
FRACTION = Movement(2_905_000, INVENTORY, METER, "contribution of a part of a cent")


def played(book: Book, person: str, share: int) -> None:
    """Let somebody wager what they have, or some of it, and win or lose or pay a fee."""
    staked = max(chips_of(book.tray, person), 0) * share // 12
    if staked < 300:
        return
    wager = pending(2, person, "main")
    book.play((staked, player(person), wager))
    if share % 3 == 0:
        book.play((staked, wager, player(person)), (staked, INVENTORY, player(person)))
    elif share % 3 == 1:
        book.play((staked, wager, INVENTORY), (29, INVENTORY, METER))
    else:
        book.play((staked - 100, wager, player(person)), (100, wager, COLLECTIONS))


STEP = st.one_of(ACTIONS, st.tuples(PEOPLE, st.integers(1, 12)), st.integers(1, 30))


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=40))
def test_nothing_is_made_or_lost_whatever_is_done(steps: list[ChipAction | tuple[str, int] | int]) -> None:
    book = Book(self_service=True).opened()
    for step in steps:
        if isinstance(step, tuple):
            played(book, *step)
        elif isinstance(step, int):
            book.later(step)
        else:
            by, second = WHO.get(type(step), (DEB, None))
            before = book.tray
            try:
                turn = book.do(step, by, second)
            except RefusedError:
                assert book.tray is before
            else:
                assert evolve_chips(before, decode(ChipTurn, encode(turn))) == book.tray
        book.check()
    assert decode(Tray, encode(book.tray)) == book.tray


@settings(max_examples=40, deadline=None)
@given(st.lists(ACTIONS, max_size=30))
def test_the_tray_is_the_fold_of_its_turns(actions: list[ChipAction]) -> None:
    book = Book(self_service=True).opened()
    for action in actions:
        by, second = WHO.get(type(action), (DEB, None))
        try:
            book.do(action, by, second)
        except RefusedError:
            continue
    assert book.refolded() == book.tray


def test_parts_of_a_cent_stay_with_the_meter_and_never_reach_the_tray() -> None:
    tray = Book().opened().tray
    assert apply_movements(tray, [FRACTION]) == tray
    won = replace(FRACTION, units=units(700), source=METER, to=player("Ann"))
    paid = apply_movements(tray, [won])
    assert (paid.value, chips_of(paid, "Ann")) == (tray.value - 700, 700)
