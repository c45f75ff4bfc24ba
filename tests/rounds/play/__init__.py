"""People who play at random, rightly or wrongly, and what must hold of every table at which they do.

``chance`` decides; ``moves`` and ``unlawful`` are what people do; a table under ``watch`` is looked at after
every command; ``drive`` plays rounds by the thousand, ``machines`` are those of Hypothesis, and ``closing``
ends any round by nothing but ``true_acts``. Washington's and California's own are beside them.
"""
