"""What a table shows: the views and options of ten people after each command of some full rounds."""

from __future__ import annotations

import time
from statistics import median, quantiles

from benchmarks.prepare import Done, seeded_table
from houseway.games import example_submission, rules_for
from houseway.rounds.auto import person_at
from houseway.rounds.options import offers, options_of
from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.rounds.views import Scene

ROUNDS = 20


def looked_at(game: str, commands: list[Done]) -> tuple[float, float]:
    """Return how long ten viewers' views and options take after a command: the median and one in a hundred.

    What anybody might do is worked out once for all ten; each gets their part of it, and their own view.
    """
    rules = rules_for(example_submission(game))
    table, spent = seeded_table(rules), list[float]()
    seats = range(1 if rules.banked else 2, 8)
    onlookers = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.GUEST)
    viewers = [person_at(rules, at) for at in seats][:6] + [Actor("dealer", role) for role in onlookers]
    for by, action in commands:
        table.do(by, action)
        moment = table.moment
        begin = time.process_time()
        offered, scene = offers(table.rules, table.table, moment), Scene(table.rules, table.table, moment)
        for viewer in viewers:
            options_of(offered, viewer)
            scene.view(viewer)
        spent.append(time.process_time() - begin)
        if table.table.rounds >= ROUNDS:
            break
    return median(spent), quantiles(spent, n=100)[-1]
