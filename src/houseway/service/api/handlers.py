"""The handlers of all routes, by name, and those about the server itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from houseway.service.api import (
    accounting,
    coach,
    docs_page,
    log_tree,
    lookups,
    office,
    oversight,
    own_account,
    past_rounds,
    second_factors,
    sign_in,
    submissions,
    supervision,
    tables,
    users,
)
from houseway.service.api.call import Call, Handler, json
from houseway.service.api.openapi import describe
from houseway.service.api.routes import ROUTES

# --- the server itself --------------------------------------------------------------------------------


async def health(call: Call) -> Response:
    """Return that the process is alive, and the state of each condition of readiness."""
    return json({"alive": True, "conditions": call.server.health.conditions()})


async def ready(call: Call) -> Response:
    """Return whether commands are carried out here, that is, whether every condition holds."""
    failing = [condition.name for condition in call.server.health.conditions() if not condition.holds]
    return json({"ready": not failing, "failing": failing}, 503 if failing else 200)


async def metrics(call: Call) -> Response:
    """Return the metrics for Prometheus."""
    return Response(call.server.metrics.text(), media_type="text/plain; version=0.0.4")


async def openapi(_: Call) -> Response:
    """Return the description of this interface."""
    return json(describe(ROUTES))


HANDLERS: Final[Mapping[str, Handler]] = {
    "health": health,
    "ready": ready,
    "metrics": metrics,
    "openapi": openapi,
    "docs": docs_page.docs,
    "docs_script": docs_page.docs_script,
    "docs_style": docs_page.docs_style,
    "sign_in": sign_in.sign_in,
    "sign_in_guest": sign_in.sign_in_guest,
    "who_am_i": sign_in.who_am_i,
    "prove": sign_in.prove,
    "sign_out": sign_in.sign_out,
    "tables": tables.tables,
    "table": tables.table,
    "command": tables.command,
    "ready_to_deal": tables.ready,
    "patience": tables.patience,
    "practise": tables.practise,
    "undo": tables.undo,
    "consequences": tables.consequences,
    "preview": tables.preview_setting,
    "suggestion": tables.suggestion,
    "coach": coach.coach,
    "hand_coach": coach.hand_coach,
    "table_rules": tables.table_rules,
    "packet": past_rounds.packet,
    "receipt": past_rounds.receipt,
    "rounds": past_rounds.rounds,
    "my_rounds": past_rounds.my_rounds,
    "me": own_account.me,
    "change_password": own_account.change_password,
    "begin_factor": second_factors.begin_factor,
    "confirm_factor": second_factors.confirm_factor,
    "remove_factor": second_factors.remove_factor,
    "exclude": own_account.exclude,
    "time_out": own_account.time_out,
    "my_history": own_account.my_history,
    "users": users.users,
    "add_user": users.add_user,
    "change_roles": users.change_roles,
    "reset_password": users.reset_password,
    "disable_user": users.disable_user,
    "enable_user": users.enable_user,
    "user_history": users.user_history,
    "void_factor": users.void_factor,
    "factor_roles": second_factors.factor_roles,
    "demand_factors": second_factors.demand_factors,
    "access": oversight.access,
    "clause": lookups.clause,
    "readings": lookups.list_readings,
    "games": lookups.list_games,
    "game": lookups.one_game,
    "hand": lookups.hand,
    "chips": tables.chips,
    "duty": office.duty,
    "proposals": office.proposals,
    "confirm": office.confirm,
    "submissions": submissions.submissions,
    "submission": submissions.submission,
    "file_submission": submissions.file_submission,
    "meter_history": office.meter_history,
    "tray": tables.tray,
    "replay": oversight.replay,
    "alerts": oversight.alerts,
    "bookmarks": oversight.my_bookmarks,
    "bookmark": oversight.bookmark,
    "remove_bookmark": oversight.remove_bookmark,
    "chain": oversight.chain,
    "tree": log_tree.tree_head,
    "tree_consistency": log_tree.tree_consistency,
    "accounting": accounting.accounting,
    "clauses": oversight.clauses,
    "waiting": supervision.waiting,
    "log": supervision.log,
    "meters": office.meters,
    "meter": office.meter,
}
