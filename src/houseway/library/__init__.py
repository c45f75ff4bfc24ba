"""The library: ``import houseway as hw`` opens it.

>>> import houseway as hw
>>> hw.game("pa-659a").set("As Kd 9c 9h 5s 4d 2c")
9h9c4d2c / As5s / Kd
  high: pair of nines, four-two
  medium: ace-high, five
  low: king-high
pair: Any other pair: high, and the best singles lead medium and low.

Cards, settings and amounts are given as text. A game has its operator's submission: commission, paytables and
readings apply by themselves. What is impossible is refused by a ``HousewayError`` in words.
"""

from houseway.errors import HousewayError, IllegalError, InvalidInputError, UnknownNameError
from houseway.library.house_way import OpenWay, way, ways
from houseway.library.played_game import PlayedGame, game
from houseway.library.values import BonusHands, ComparedHands, HouseWayHand, RankedCards, SettledHand
from houseway.overview import list_games as games

__all__ = [
    "BonusHands",
    "ComparedHands",
    "HouseWayHand",
    "HousewayError",
    "IllegalError",
    "InvalidInputError",
    "OpenWay",
    "PlayedGame",
    "RankedCards",
    "SettledHand",
    "UnknownNameError",
    "game",
    "games",
    "way",
    "ways",
]
