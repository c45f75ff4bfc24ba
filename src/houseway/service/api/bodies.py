"""What each route takes in its body, as types that can be described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from houseway.chips import AnyChipAction
from houseway.floor.tasks import AnyTask
from houseway.intake import ID_PATTERN
from houseway.rounds.steps import AnyAction
from houseway.service.api import (
    coach,
    lookups,
    office,
    oversight,
    own_account,
    second_factors,
    sign_in,
    submissions,
    tables,
    users,
)
from houseway.service.loop import TIME_LIMIT

Name = Annotated[str, Meta(pattern=ID_PATTERN)]


class SentCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: a name of its own, made by whoever sends it, and an action with its step."""

    id: Name
    action: AnyAction
    within: tables.Seconds = TIME_LIMIT
    """Seconds within which it is carried out, or not at all."""


class SentThought(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that somebody thinks of taking."""

    action: AnyAction


class SentChips(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be done with a table's chips, under a name of its own."""

    id: Name
    action: AnyChipAction
    within: tables.Seconds = TIME_LIMIT
    """Seconds within which it is carried out, or not at all."""


class SentDuty(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done, under a name of its own."""

    id: Name
    task: AnyTask


BODIES: Final[Mapping[str, type[Struct]]] = {
    "sign_in": sign_in.SigningIn,
    "prove": sign_in.Proving,
    "command": SentCommand,
    "practise": tables.Practising,
    "consequences": SentThought,
    "preview": tables.Looked,
    "suggestion": tables.Looked,
    "coach": tables.Looked,
    "hand_coach": coach.CoachedHand,
    "chips": SentChips,
    "duty": SentDuty,
    "confirm": office.Confirming,
    "file_submission": submissions.Filed,
    "change_password": own_account.Changing,
    "confirm_factor": second_factors.Code,
    "remove_factor": second_factors.RemovedFactor,
    "void_factor": users.ReasonBody,
    "demand_factors": second_factors.FactorRoles,
    "exclude": own_account.Until,
    "time_out": own_account.UntilThen,
    "add_user": users.Added,
    "change_roles": users.Roles,
    "disable_user": users.ReasonBody,
    "enable_user": users.ReasonBody,
    "hand": lookups.AskedHand,
    "bookmark": oversight.Noted,
}
"""By the name of the route."""
