"""How a database of an older version is brought up to date, step by step."""
