"""Who may take which route, written out by hand: held against the table that the service reads."""

from __future__ import annotations

from houseway.rounds.roles import DEVICES, Role

ALL = frozenset(Role)
PLAYER = frozenset({Role.PLAYER})
ADMINISTRATOR = frozenset({Role.ADMINISTRATOR})
PRACTISING = frozenset({Role.PLAYER, Role.GUEST})
WATCHING = frozenset({Role.SURVEILLANCE, Role.REGULATOR})
OFFICE = frozenset(
    {
        *(Role.ADMINISTRATOR, Role.MANAGER, Role.FLOORPERSON),
        *(Role.KEY_HOLDER, Role.ACCOUNTING, Role.REGULATOR),
    }
)
PERSONS = ALL - DEVICES - {Role.GUEST}
BY_ROLES: tuple[tuple[frozenset[Role], tuple[str, ...]], ...] = (
    (PLAYER, ("my_rounds", "my_history", "exclude", "time_out")),
    (PRACTISING, ("ready_to_deal", "practise", "undo", "coach")),
    (PRACTISING | {Role.DEALER}, ("suggestion",)),
    (frozenset({Role.DEALER, Role.FLOORPERSON, Role.MANAGER}), ("consequences",)),
    (PRACTISING | {Role.DEALER, Role.FLOORPERSON, Role.MANAGER, Role.ACCOUNTING}, ("chips",)),
    (WATCHING, ("packet", "rounds", "bookmarks", "bookmark", "remove_bookmark")),
    (WATCHING | {Role.PLAYER}, ("replay", "receipt")),
    (WATCHING | {Role.MANAGER, Role.ADMINISTRATOR}, ("alerts",)),
    (OFFICE - {Role.FLOORPERSON, Role.KEY_HOLDER}, ("accounting",)),
    (WATCHING | {Role.ADMINISTRATOR}, ("chain", "access")),
    (OFFICE, ("duty", "submissions", "submission")),
    (OFFICE | {Role.DEALER}, ("proposals", "confirm", "prove")),
    (frozenset({Role.ADMINISTRATOR, Role.MANAGER}), ("file_submission",)),
    (WATCHING | {Role.DEALER, Role.FLOORPERSON, Role.MANAGER, Role.ACCOUNTING}, ("tray",)),
    (OFFICE | {Role.SURVEILLANCE}, ("meter",)),
    (PERSONS, ("change_password", "begin_factor", "confirm_factor", "remove_factor")),
    (PERSONS - {Role.PLAYER}, ("log",)),
    (OFFICE - {Role.ACCOUNTING, Role.REGULATOR}, ("waiting",)),
    (ADMINISTRATOR, ("metrics", "users", "add_user", "change_roles", "reset_password")),
    (ADMINISTRATOR, ("disable_user", "enable_user", "user_history")),
    (ADMINISTRATOR, ("void_factor", "factor_roles", "demand_factors")),
)
WRITTEN = {route: roles for roles, routes in BY_ROLES for route in routes}
"""Who may take the routes that not everybody may who is signed in."""
OPEN = {
    *("health", "ready", "openapi", "docs", "docs_script", "docs_style", "sign_in", "sign_in_guest"),
    *(
        "tables",
        "meters",
        "table_rules",
        "clause",
        "clauses",
        "readings",
        "games",
        "game",
        "hand",
        "meter_history",
        "tree",
        "tree_consistency",
    ),
}
"""What anybody may ask, signed in or not."""
NAMES = {
    "table": "t1",
    "meter": "link",
    "round": "1",
    "proposal": "Max/none",
    "user": "nobody",
    "clause": "pa659a.5.c.s1",
    "game": "pa-659a",
    "submission": "none",
}
"""What stands in paths."""
BODIES = {
    "sign_in": {"name": "x", "password": "x", "role": "player"},
    "prove": {"password": "x"},
    "command": {"id": "m", "action": {"step": "sit", "position": 3}},
    "preview": {"position": 2, "setting": "As"},
    "suggestion": {"position": 2},
    "coach": {"position": 2},
    "hand_coach": {"game": "pa-659a", "cards": "As Ah"},
    "consequences": {"action": {"step": "stop_round", "reason": "a card fell"}},
    "duty": {"id": "m", "task": {"duty": "fly"}},
    "confirm": {"done": True},
    "chips": {"id": "m", "action": {"step": "buy_in", "person": "Ann", "cash": 100}},
    "change_password": {"old": "x", "new": "x"},
    "confirm_factor": {"code": "123456"},
    "remove_factor": {"password": "x", "code": "123456"},
    "void_factor": {"reason": "lost"},
    "demand_factors": {"roles": ["manager"]},
    "exclude": {"until": "2027-01-01T00:00:00Z"},
    "time_out": {"until": "2027-01-01T00:00:00Z"},
    "add_user": {"id": "new", "name": "New", "roles": ["player"]},
    "change_roles": {"roles": ["dealer"]},
    "disable_user": {"reason": "left"},
    "enable_user": {"reason": "back"},
    "practise": {"game": "pa-659a"},
    "file_submission": {"toml": "game = 1"},
    "bookmark": {"note": "look again"},
    "hand": {"cards": "As Ah Jk 9c 8d 7h 2s"},
}
"""What is sent to each route."""
