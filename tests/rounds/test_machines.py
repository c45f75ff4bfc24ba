"""Any play at any table: money whole, cards distinct, nothing settled twice, every replay the same."""

from __future__ import annotations

from typing import Any

from tests.rounds.play.machines import USUAL, AnyTable, Washington


class AsiaPoker(AnyTable):
    game = "pa-575"


class FortuneAsiaPoker(AnyTable):
    game = "pa-659a"


class SixCardFortunePaiGowPoker(AnyTable):
    game = "pa-670a"


class FourProcedures(Washington):
    """Hypothesis draws by the text of these classes: a change of the helpers leaves it as it is."""


def under(machine: type[AnyTable]) -> Any:
    """Return the machine's test, few examples and no clock."""
    case = machine.TestCase
    case.settings = USUAL
    return case


TestAsiaPoker = under(AsiaPoker)
TestFortuneAsiaPoker = under(FortuneAsiaPoker)
TestSixCardFortunePaiGowPoker = under(SixCardFortunePaiGowPoker)
TestWashington = under(FourProcedures)
