"""Receipts over HTTP: of one's own rounds, for those who may see the opened deck of any, for nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houseway.floor.receipts import check_receipt, read_receipt
from houseway.rounds.roles import Role
from houseway.store.memory import MemoryStore
from houseway.store.tree_log import sign_tree
from tests.floor.support import NOON, play
from tests.floor.test_packets import seated
from tests.floor.test_receipts import ANN, DAN, NOTARY
from tests.service.support import Person, served

PATH = "/api/v1/tables/t1/rounds/{}/receipt"


@pytest.fixture(scope="module")
def people() -> Iterator[dict[Role | str, Person]]:
    floor = seated("pa-659a", MemoryStore(), {2: ANN, 5: DAN})
    play(floor, "t1", 1)
    with served(floor) as (client, _):
        sign_tree(floor.store, NOTARY, NOON)
        play(floor, "t1", 1)
        roles = (Role.REGULATOR, Role.SURVEILLANCE, Role.DEALER, Role.MANAGER, Role.GUEST)
        staff: dict[Role | str, Person] = {role: Person(client, f"a {role}", role) for role in roles}
        players: dict[Role | str, Person] = {
            name: Person(client, name, Role.PLAYER) for name in (ANN.id, DAN.id, "Eve")
        }
        yield {**staff, **players}


@pytest.mark.parametrize("who", [ANN.id, DAN.id, Role.REGULATOR, Role.SURVEILLANCE])
def test_a_receipt_is_served_as_a_file_that_checks(people: dict[Role | str, Person], who: Role | str) -> None:
    answer = people[who].send("GET", PATH.format(1))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="receipt-t1-1.json"'
    checked = check_receipt(answer.content, signed_by=NOTARY.verifier)
    assert checked.receipt.viewer.id == (who if isinstance(who, str) and who in (ANN.id, DAN.id) else "")
    size = checked.size
    again = people[who].send("GET", f"{PATH.format(1)}?size={size}")
    assert read_receipt(again.content)[0].head == checked.receipt.head


@pytest.mark.parametrize(
    ("who", "number", "status", "why"),
    [
        (Role.GUEST, "1", 403, ""),
        (Role.DEALER, "1", 403, ""),
        (Role.MANAGER, "1", 403, ""),
        ("Eve", "1", 404, "no such round of yours"),
        (ANN.id, "2", 409, "in a minute"),
        (ANN.id, "3", 404, "no such round"),
        (ANN.id, "x", 404, "no such round"),
        (ANN.id, "1?size=3", 409, "no tree of that size"),
        (ANN.id, "1?size=x", 400, "number"),
    ],
)
def test_others_are_refused(
    people: dict[Role | str, Person], who: Role | str, number: str, status: int, why: str
) -> None:
    number, _, query = number.partition("?")
    answer = people[who].send("GET", PATH.format(number) + (f"?{query}" if query else ""))
    assert answer.status_code == status and why in answer.text, answer.text


def test_nobody_who_is_not_signed_in_gets_one(people: dict[Role | str, Person]) -> None:
    client = people["Eve"].client
    client.cookies.clear()
    assert client.get(PATH.format(1)).status_code == 401
