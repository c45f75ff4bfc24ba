"""The body types of routes, for the description of the interface."""

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
    """A command: an id made by its sender, and an action with its step."""

    id: Name
    action: AnyAction
    within: tables.Seconds = TIME_LIMIT
    """Seconds within which it is carried out, or refused."""


class SentThought(Struct, frozen=True, forbid_unknown_fields=True):
    """An action to be considered."""

    action: AnyAction


class SentChips(Struct, frozen=True, forbid_unknown_fields=True):
    """A chip action, with an id made by its sender."""

    id: Name
    action: AnyChipAction
    within: tables.Seconds = TIME_LIMIT
    """Seconds within which it is carried out, or refused."""


class SentDuty(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done, with an id made by its sender."""

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
"""The body types, by the name of the route."""
