"""House ways: documents that set every hand, their reader, explainer and compiler."""

from houseway.houseways.compiler import Program, compile_way
from houseway.houseways.document import Example, HouseWay, Rule, house_ways
from houseway.houseways.plain import Decision, UndecidedError, decide
from houseway.houseways.reading import HouseWayFaultsError, house_way, read_house_way

__all__ = [
    "Decision",
    "Example",
    "HouseWay",
    "HouseWayFaultsError",
    "Program",
    "Rule",
    "UndecidedError",
    "compile_way",
    "decide",
    "house_way",
    "house_ways",
    "read_house_way",
]
