"""House ways: documents that set every hand, their reader, explainer and compiler."""

from houseway.houseways.compiler import Program, compile_way
from houseway.houseways.document import HouseWay, Rule, house_way, house_ways, read_house_way
from houseway.houseways.plain import Decision, UndecidedError, decide

__all__ = [
    "Decision",
    "HouseWay",
    "Program",
    "Rule",
    "UndecidedError",
    "compile_way",
    "decide",
    "house_way",
    "house_ways",
    "read_house_way",
]
