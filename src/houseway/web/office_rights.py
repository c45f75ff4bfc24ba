"""What a role may do outside the round of play, for the pages that offer it."""

from __future__ import annotations

from typing import Any

from houseway.chips import standard_config
from houseway.chips.rights import DUTY_ROLES as CHIP_ROLES
from houseway.floor.rights import DUTY_ROLES
from houseway.rounds.roles import Role


def office_rights(role: Role) -> dict[str, Any]:
    """Return the duties of a role, what it does with a table's chips, and which chips there are.

    >>> office_rights(Role.KEY_HOLDER)["duties"]
    ['adjust_meter', 'change_link', 'print_slip', 'read_meter', 'void_slip']
    """
    return {
        "duties": sorted(duty.value for duty, roles in DUTY_ROLES.items() if role in roles),
        "chips": sorted(step for step, roles in CHIP_ROLES.items() if role in roles),
        "denominations": sorted(standard_config().denominations),
    }
