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
    coaching,
    entering,
    lookups,
    office,
    oversight,
    own,
    signing,
    submitting,
    tables,
    users,
)
from houseway.service.loop import LONGEST

Name = Annotated[str, Meta(pattern=ID_PATTERN)]


class SentCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command: a name of its own, made by whoever sends it, and an action with its step."""

    id: Name
    action: AnyAction
    within: tables.Seconds = LONGEST
    """Seconds within which it is carried out, or not at all."""


class SentThought(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that somebody thinks of taking."""

    action: AnyAction


class SentChips(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be done with a table's chips, under a name of its own."""

    id: Name
    action: AnyChipAction
    within: tables.Seconds = LONGEST
    """Seconds within which it is carried out, or not at all."""


class SentDuty(Struct, frozen=True, forbid_unknown_fields=True):
    """A duty to be done, under a name of its own."""

    id: Name
    task: AnyTask


BODIES: Final[Mapping[str, type[Struct]]] = {
    "sign_in": signing.SigningIn,
    "prove": signing.Proving,
    "command": SentCommand,
    "practise": tables.Practising,
    "consequences": SentThought,
    "preview": tables.Looked,
    "suggestion": tables.Looked,
    "coach": tables.Looked,
    "hand_coach": coaching.CoachedHand,
    "chips": SentChips,
    "duty": SentDuty,
    "confirm": office.Confirming,
    "file_submission": submitting.Filed,
    "change_password": own.Changing,
    "confirm_factor": entering.Code,
    "remove_factor": entering.RemovedFactor,
    "void_factor": users.ReasonBody,
    "demand_factors": entering.FactorRoles,
    "exclude": own.Until,
    "time_out": own.UntilThen,
    "add_user": users.Added,
    "change_roles": users.Roles,
    "disable_user": users.ReasonBody,
    "enable_user": users.ReasonBody,
    "hand": lookups.AskedHand,
    "bookmark": oversight.Noted,
}
"""By the name of the route."""
