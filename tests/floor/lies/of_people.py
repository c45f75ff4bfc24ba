"""Lies about people, what they marked, and what was noted at the door."""

from __future__ import annotations

from houseway.rounds.roles import Role
from houseway.rounds.step import Actor
from houseway.service import people
from tests.floor.lies.edited import Edited
from tests.floor.lies.played import ADA, ANN, MAX, Played
from tests.floor.lies.told import by, changed, lie, put
from tests.service.crowd import PASSWORD, hashed

# --- people -------------------------------------------------------------------------------------------


@lie(r"people version \d+: RolesChanged: refused")
def a_role_given_by_a_player_to_themself(edited: Edited) -> None:
    edited.change(
        "roles_changed", lambda v: [v.update(user="ann", by=by(ANN), roles=["manager"]), v.pop("second")]
    )


@lie(r"people version \d+: RolesChanged: refused: administrators cannot take part")
def a_role_given_by_an_administrator_to_herself(edited: Edited) -> None:
    edited.change("roles_changed", put(user="ada", roles=["administrator", "manager"]))


changed(
    "a role given by one administrator",
    r"people version \d+: RolesChanged: refused",
    "roles_changed",
    lambda v: v.pop("second"),
)
changed(
    "another role given than was proposed",
    r"people version \d+: |roles flo",
    "roles_changed",
    put(roles=["floorperson", "manager"]),
)
changed(
    "somebody added by one administrator",
    r"people version \d+: UserAdded: refused",
    "user_added",
    lambda v: v.pop("second"),
    user="max",
)
changed(
    "somebody added by one administrator twice",
    r"people version \d+: UserAdded: refused",
    "user_added",
    put(second=by(ADA)),
    user="max",
)
changed(
    "somebody added with another role",
    r"people version \d+: |add max",
    "user_added",
    put(roles=["manager", "dealer"]),
    user="max",
)
changed(
    "somebody added by nobody",
    r"people version \d+: UserAdded: refused",
    "user_added",
    put(by=by(Actor("x", Role.ADMINISTRATOR))),
    user="max",
)
changed(
    "a name that somebody has",
    r"people version \d+: UserAdded: refused",
    "user_added",
    put(name="Ada"),
    user="max",
)
changed(
    "a name that looks the same",
    r"people version \d+: UserAdded: refused",
    "user_added",
    put(name="аda"),
    user="max",
)
changed(
    "a first administrator who manages tables",
    r"people version 1: UserAdded",
    "user_added",
    put(roles=["manager"]),
)
changed(
    "a password that is no hash",
    r"people version \d+: PasswordSet: refused",
    "password_set",
    put(hash="secret"),
)
changed(
    "a password set by somebody else",
    r"people version \d+: PasswordSet: refused",
    "password_set",
    put(by=by(MAX)),
    user="ann",
    by=by(ANN),
)
changed(
    "somebody disabled by a player",
    r"people version \d+: UserDisabled: refused",
    "user_disabled",
    put(by=by(ANN)),
)
changed(
    "somebody disabled for no reason",
    r"people version \d+: UserDisabled: refused",
    "user_disabled",
    put(reason=""),
)
changed(
    "a time-out that was over at once",
    r"people version \d+: TimeOut: refused",
    "time_out",
    put(until="2026-01-04T12:00:00Z"),
)
changed("a time-out of somebody else", r"people version \d+: TimeOut", "time_out", put(user="dan"))


@lie(r"people version \d+: .*RolesChanged: refused")
def a_role_given_past_the_doors(edited: Edited) -> None:
    def given(played: Played) -> None:
        roles = frozenset({Role.PLAYER, Role.MANAGER})
        played.record(people.change_roles(played.people, "ann", roles, ADA, played.clock()))

    edited.play(given)


@lie(r"people version \d+: PasswordSet: refused: it needs two administrators")
def a_password_set_by_one_administrator(edited: Edited) -> None:
    edited.play(
        lambda played: played.record(
            people.set_password(played.people, "max", hashed(PASSWORD), ADA, played.clock())
        )
    )


@lie(r"people version \d+: .*never proposed: (secret|enable)")
def somebody_enabled_whom_nobody_proposed_to_enable(edited: Edited) -> None:
    def enabled(played: Played) -> None:
        event = people.enable_user(played.people, "rob", ADA, played.clock(), "back")
        played.record(
            type(event)(
                user="rob", reason="back", by=ADA, second=Actor("bea", Role.ADMINISTRATOR, "Bea"), at=event.at
            )
        )

    edited.play(enabled)


# --- what is noted and marked -------------------------------------------------------------------------

changed("a round marked by another", r"bookmarks/ann version 1: ", "bookmarked", put(by=by(MAX)))
changed("a round marked that never was", r"bookmarks/ann version 1: ", "bookmarked", put(round=99))
changed("a round marked at no table", r"bookmarks/ann version 1: ", "bookmarked", put(table="t9"))
changed("an unknown user at the door", r"access version 1: ", "accessed", put(by=by(Actor("x", Role.PLAYER))))
changed(
    "somebody at the door under another name",
    r"access version 1: ",
    "accessed",
    put(by={**by(ANN), "name": "Mia"}),
)
changed("less than no refusals at the door", r"access version 2: ", "accessed", put(count=-1), 1)
changed(
    "an unknown user in what is counted at the door",
    r"access version 3: ",
    "access_counted",
    lambda v: v["addresses"][0].update(users={"x": 1}),
)
changed(
    "less than nothing counted at the door",
    r"access version 3: ",
    "access_counted",
    lambda v: v["addresses"][0].update(failed=-1),
)
