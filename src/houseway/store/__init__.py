"""The durable store: streams of entries in SQLite or PostgreSQL, chained, checked and never changed."""
