"""What surveillance is alerted to, as it is shown beside the search for rounds."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.sync_api import expect

from houseway.floor.meter_events import MeterRead
from houseway.floor.streams import is_practice, meter_stream
from houseway.money import Cents
from houseway.store.protocol import Batch
from houseway.store.sqlite import SqliteStore
from tests.floor.floor_of_2026 import entry_of_2026
from tests.floor.support import MAX, new_floor
from tests.web.browser.conftest import Opening
from tests.web.browser.support import ServedFloor

TOO_MUCH = Cents(9_007_199_254_740_992)


def test_an_entry_that_could_not_be_taken_in_is_named_beside_the_search(
    opening: Opening, own_floor: ServedFloor
) -> None:
    own_floor.stop()
    store = SqliteStore(own_floor.database)
    meter, *_ = (name for name in new_floor(store).meters() if not is_practice(name))
    stream = meter_stream(meter)
    now = datetime.now(UTC)
    read = MeterRead(meter=meter, shown=TOO_MUCH, expected=Cents(0), explained="dark", by=MAX, at=now)
    entry = entry_of_2026(store.head(stream), stream, "an old reading", read)
    store.append_batch(Batch(entries=[entry]))
    store.close()
    own_floor.start()
    page = opening(own_floor, "/rounds", by="sam")
    alert = page.locator('[data-alert="parked_entries"]')
    expect(alert).to_contain_text("read model accounting")
    expect(alert).to_contain_text(f"{stream} version {entry.version}: ")
    expect(alert).to_contain_text("Missing until `houseway read-models` has taken them in: 1")
