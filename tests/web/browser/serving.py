"""A demo floor in a process of its own: give it a database and a port.

Practice goes at a quick pace; tables at which house players play among themselves do not, or they would
take the machine for themselves.
"""

from __future__ import annotations

import sys
from datetime import datetime
from functools import partial
from itertools import cycle

from houseway.cli.system import SystemRuntime
from houseway.floor.core import Floor
from houseway.floor.house import House, make_table
from houseway.floor.setup_events import SetupEvent
from houseway.floor.streams import Fingerprint, TableId
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin
from houseway.rounds.step import Actor
from houseway.service import sign_in_limits
from houseway.service.demo import GAMES, ONLY_DEVICES, demo_floor, open_by_hand
from houseway.service.demo_people import add_demo_people
from houseway.service.network_limits import NetworkLimits
from houseway.service.server_setup import build_server, open_floor, open_register
from houseway.service.table_plans import HousePlayer, Pace, Patience, TablePlan
from houseway.service.workers import listen_at, run_server
from houseway.web.making import site

QUICK = Pace(step=0.02, followed=0.25, preparing=0)
BUSY = TablePlan(
    players={2: HousePlayer("busy-ann"), 5: HousePlayer("busy-bob")},
    rulings=True,
    pace=Pace(step=1, followed=1, preparing=0),
)
"""A command a second, by everybody together."""
TYPED = "typed-cards"
FLO = Actor("flo", Role.FLOORPERSON)


def main(database: str, port: int, busy: int) -> None:
    """Serve a floor until the process is ended; so many tables of house players more are busy."""
    setattr(sign_in_limits, "GUESTS", sign_in_limits.TryLimit(free=10_000))  # noqa: B010 - everybody comes from one address
    runtime = SystemRuntime()
    floor = open_floor(database, runtime)
    add_demo_people(open_register(floor), floor.house)
    plans = {**demo_floor(floor)}
    plans |= dict.fromkeys(_made_busy(floor, busy), BUSY)
    plans[TYPED] = _made_typed(floor)
    network = NetworkLimits(sockets_per_address=1000)
    server = build_server(floor, plans, runtime, practice_pace=QUICK, network=network)
    run_server(server, site, listen_at("127.0.0.1", port))


def _made_typed(floor: Floor) -> TablePlan:
    """Make a Washington table of real cards, which a dealer types in; only its devices run by themselves."""
    if TYPED not in floor.house.tables:
        rules = floor.house.tables["wa-fap"].rules or ""
        floor.set_up(partial(_made, TYPED, rules, origin=CardOrigin.TYPED))
        open_by_hand(floor, TYPED, {})
    return TablePlan(duties=ONLY_DEVICES, pace=QUICK, patience=Patience(setting=600, vanished=600))


def _made_busy(floor: Floor, count: int) -> list[TableId]:
    """Make tables for house players, of all games in turn."""
    names = [f"busy-{number}" for number in range(count)]
    for name, game in zip(names, cycle(GAMES), strict=False):
        if name not in floor.house.tables:
            rules = floor.house.tables[game].rules or ""
            floor.set_up(partial(_made, name, rules))
    return names


def _made(
    name: TableId,
    rules: Fingerprint,
    house: House,
    now: datetime,
    *,
    origin: CardOrigin = CardOrigin.VIRTUAL_DECK,
) -> list[SetupEvent]:
    return make_table(house, name, rules, FLO, now, origin=origin)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
