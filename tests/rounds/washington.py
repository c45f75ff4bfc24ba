"""Washington's table for tests: four procedures, hands dealt pack by pack, and a jackpot up to its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from houseway.law.problems import RefusedError
from houseway.ledger import AccountKind, units
from houseway.money import Cents
from houseway.rounds.roles import Role
from houseway.rounds.state import JackpotWin, Phase, Round
from houseway.rounds.step import Actor, AnEvent
from houseway.rounds.views import view
from houseway.settlement import Payment
from tests.games.support import Changes
from tests.rounds.books import net
from tests.rounds.pennsylvania import house_way
from tests.rounds.table import DEALER, FLOOR, TestTable

WAYS: dict[str, Changes] = {
    "iverify_hwv": {},
    "iverify": {"table.procedure": "iverify"},
    "led": {"table.procedure": "led"},
    "dice_cup": {"table.procedure": "dice_cup", "table.start_methods": ["dice_cup"], "table.dice": 3},
}
"""The four procedures, each with what it changes in the example submission."""
PLAIN_METER: Changes = {"progressive.contribution": "0%", "progressive.reserve": "0%"}
"""The meter stays at its $10,000 until somebody wins."""
CLOCKWISE: Changes = {
    "readings.wa_meter_order": "internal_controls",
    "progressive.order_policy": "clockwise",
    "approvals.order_policy": "IC-7",
}
"""Approved internal controls turn the order of the awards round."""
HANDS = {
    "dealer": "Qs Qh 8c 8h 7c 3h 2s",  # set QsQh3h2s / 8h8c / 7c
    "winner": "Ac Ah 6h 6d Kh Qd 5c",  # AcAhQd5c / 6h6d / Kh: wins the first and the last
    "loser": "Jc 9d 7h 6c 5h 3c 2h",  # loses all three
    "flush": "Kd Jd 8d 5d 2d 9s 4h",
    "two_pair": "Ks Kc 9h 9c 5s 4d Js",
    "quads": "Tc Td Th Ts 6s 4c 2c",
    "straight_flush": "9d 8d 7d 6d 5d Kc 2c",
    "seven_card_straight_flush": "9s 8s 7s 6s 5s 4s 3s",
    "five_aces": "As Ah Ad Ac Jk 7d 3d",
}
SAM = Actor("Sam", Role.FLOORPERSON)
SUE = Actor("Sue", Role.MANAGER)
Bets = Mapping[int, Mapping[str, str]]


def payables(table: TestTable) -> list[JackpotWin]:
    """Return the wins that a supervisor may pay now: those recorded, not paid and not backed out."""
    wins = table.live.table.round.wins
    return [win for win in wins if not table.problems("pay_jackpot", SUE, win.position, reference="HP-1")]


def screen(table: TestTable) -> str:
    """Return the title on the display, to whoever looks at the table."""
    return view(table.rules, table.live.table, SAM, table.live.moment).screen


def lights(table: TestTable) -> Mapping[int, str]:
    """Return what the sensors show to whoever looks at the table."""
    return view(table.rules, table.live.table, SAM, table.live.moment).lights


def spot(number: int) -> int:
    """Return the position of a spot as the document counts them: spot 1 at the dealer's left."""
    return 8 - number


def by_way(**laws: str) -> Any:
    """Run a test once for each procedure, marked with its clause: gives ``way, law``."""
    return pytest.mark.parametrize(
        ("way", "law"),
        [pytest.param(way, law, marks=pytest.mark.clause(law), id=law) for way, law in laws.items()],
    )


def opened(way: str = "iverify_hwv", changes: Changes | None = None) -> TestTable:
    """Return an open table that follows a procedure."""
    return TestTable("wa-fap", {**WAYS[way], **(changes or {})}).opened()


def bets_down(bets: Bets, way: str = "iverify_hwv", changes: Changes | None = None) -> TestTable:
    """Open a table, seat the players and place their wagers."""
    table = opened(way, changes).seat(bets)
    for at, amounts in bets.items():
        table.bet(at, **amounts)
    return table


def ready(bets: Bets, way: str = "iverify_hwv", changes: Changes | None = None) -> TestTable:
    """Go on until only the start itself is left to do: the dice, or the green button."""
    return bets_down(bets, way, changes).play_on(without=["shake_cup", "press_start"])


def start(table: TestTable, number: int = 1) -> TestTable:
    """Start the round with a number from 1 to 7, shown by the device or shaken."""
    if table.state.way == "dice_cup":
        dice = (6, number, 1) if number < 7 else (6, 6, 2)
        table.do("shake_cup", dice=dice)
        table.do("press_start")
    else:
        table.do("press_start", number=number)
    return table


def arrange(table: TestTable, hands: Mapping[int, str]) -> TestTable:
    """Arrange the packs so that positions get these cards, by name or written out; the start is known."""
    return table.arranged({at: HANDS.get(text, text) for at, text in hands.items()})


def dealt(
    hands: Mapping[int, str],
    bets: Bets | None = None,
    way: str = "iverify_hwv",
    changes: Changes | None = None,
) -> TestTable:
    """Deal hands to the moment the players may look; each bets $10 on the main wager and ``bets``."""
    more = bets or {}
    placed = {at: {"main": "$10", **more.get(at, {})} for at in sorted({*hands, *more} - {1})}
    table = arrange(start(ready(placed, way, changes)), {1: "dealer", **hands})
    return table.play_on(Phase.SETTING)


def looked(
    hands: Mapping[int, str],
    bets: Bets | None = None,
    way: str = "iverify_hwv",
    changes: Changes | None = None,
) -> TestTable:
    """Deal hands and let every player look; nobody has set a hand."""
    return dealt(hands, bets, way, changes).play_on(without=["set", "turn_over"])


def set_own(table: TestTable, *positions: int) -> TestTable:
    """Let players set their own hands, as the house would."""
    for at in positions:
        person = Actor(table.state.seats[at].person, Role.PLAYER)
        table.do("set", person, at, setting=house_way(table, at))
    return table


def opened_up(table: TestTable, at: int) -> TestTable:
    """Open a hand, settle its main wager and rearrange it: only its side wagers are left."""
    table.do("reveal", at=at)
    table.do("settle", at=at, wager="main")
    table.do("rearrange", at=at)
    return table


# --- the keypad --------------------------------------------------------------------------------------


def jackpot(
    hands: Mapping[int, str] | None = None,
    changes: Changes | None = None,
    way: str = "iverify_hwv",
) -> TestTable:
    """Play until a share of the meter is all that is due on the first winner's hand (at 4, five aces)."""
    hands = hands or {4: "five_aces"}
    table = dealt(hands, {at: {"progressive": "$1"} for at in hands}, way, changes)
    return table.play_on(without=["press_hand"])


def claim(table: TestTable, at: int = 4, hand: str = "five_aces") -> TestTable:
    """Press the hand button, let a supervisor come and verify the win."""
    table.do("press_hand", at=at, hand=hand)
    table.do("acknowledge_claim", SAM, at)
    table.do("verify_jackpot", SAM, at)
    return table


def record(table: TestTable, at: int = 4) -> AnEvent:
    """Turn the key to JPH and press J-POT; return what was recorded."""
    table.do("turn_key", SAM, to="JPH")
    return table.do("press_jpot", SAM, at)[0]


def adjust(table: TestTable, amount: Cents, by: Actor = FLOOR, **details: Any) -> AnEvent:
    """Adjust the meter by hand."""
    (event,) = table.do("adjust_meter", by, amount=amount, **details)
    return event


def not_adjusted(table: TestTable, amount: Cents, by: Actor = FLOOR, **details: Any) -> tuple[str, ...]:
    """Try an adjustment that must be refused; return the clauses it is refused by."""
    before = table.state
    with pytest.raises(RefusedError) as error:
        adjust(table, amount, by, **details)
    assert table.state is before
    return error.value.clauses


# --- money -------------------------------------------------------------------------------------------


def awards(payments: Iterable[Payment]) -> list[Payment]:
    """Return what was paid to players off the meter."""
    return [p for p in payments if (p.source.kind, p.to.kind) == (AccountKind.METER, AccountKind.PLAYER)]


def showing(table: TestTable) -> Cents:
    """Return what the meter shows."""
    assert table.state.meter is not None
    return table.state.meter.showing


def whole(table: TestTable) -> bool:
    """Whether every wager of the round just over ended once and the meter is what its movements say."""
    last: Round | None = table.state.last
    assert last is not None and last.meter_before is not None and table.state.meter is not None
    moved = net(last.payments)
    for hand in last.hands.values():
        for wager, amount in hand.wagers.items():
            assert moved.pop(f"pending:{hand.position}/{hand.person}/{wager}") == -units(amount)
    assert not any(account.startswith("pending:") for account in moved)
    in_meter = table.state.meter.value - last.meter_before.value
    in_reserve = table.state.meter.reserve - last.meter_before.reserve
    return (moved.get("meter:progressive", 0), moved.get("reserve:progressive", 0)) == (in_meter, in_reserve)


def reasons(table: TestTable, step: str, by: Actor = DEALER, at: int | None = None, **details: Any) -> str:
    """Return, in one text, why a command is refused."""
    return "; ".join(problem.reason for problem in table.problems(step, by, at, **details))
