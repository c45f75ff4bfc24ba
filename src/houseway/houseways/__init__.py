"""House ways: documents that set every hand, their reader, explainer and compiler."""

from houseway.houseways.compiler import CompiledWay, compile_way
from houseway.houseways.document import Example, HouseWay, Rule, house_ways
from houseway.houseways.plain import Decision, UndecidedError, decide
from houseway.houseways.reading import HouseWayFaultsError, house_way, read_house_way

__all__ = [
    "CompiledWay",
    "Decision",
    "Example",
    "HouseWay",
    "HouseWayFaultsError",
    "Rule",
    "UndecidedError",
    "compile_way",
    "decide",
    "house_way",
    "house_ways",
    "read_house_way",
]
