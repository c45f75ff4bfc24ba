"""The floor: tables and shared meters that people command, on a durable store."""
