"""The round of play: who may do what next, what comes of it, and what each person sees of it.

``decide`` turns a command into events or refuses it for every reason at once, ``evolve`` folds an event
into the table, ``view``, ``options`` and ``redact`` say what a person is shown. All of them are pure.
"""

from houseway.rounds.action import Action
from houseway.rounds.books import posted
from houseway.rounds.chance import CardSource, Chance, Moment, Vault
from houseway.rounds.codec import decode, encode, read_action, schema
from houseway.rounds.deciding import act, decide, evolve, evolve_all, suggestions, verify
from houseway.rounds.explain import explain
from houseway.rounds.live import LiveTable, new_table
from houseway.rounds.options import Offer, Option, offers, options, options_of
from houseway.rounds.record import Record, read_record, write_record
from houseway.rounds.redaction import redact
from houseway.rounds.replay import difference, verify_replay
from houseway.rounds.roles import Role
from houseway.rounds.state import CardOrigin, Phase, Table
from houseway.rounds.step import Actor, Command, Event, Proposal
from houseway.rounds.steps import ACTIONS, STEPS
from houseway.rounds.views import Scene, TableView, preview, suggest_setting, view

__all__ = [
    "ACTIONS",
    "STEPS",
    "Action",
    "Actor",
    "CardOrigin",
    "CardSource",
    "Chance",
    "Command",
    "Event",
    "LiveTable",
    "Moment",
    "Offer",
    "Option",
    "Phase",
    "Proposal",
    "Record",
    "Role",
    "Scene",
    "Table",
    "TableView",
    "Vault",
    "act",
    "decide",
    "decode",
    "difference",
    "encode",
    "evolve",
    "evolve_all",
    "explain",
    "new_table",
    "offers",
    "options",
    "options_of",
    "posted",
    "preview",
    "read_action",
    "read_record",
    "redact",
    "schema",
    "suggest_setting",
    "suggestions",
    "verify",
    "verify_replay",
    "view",
    "write_record",
]
