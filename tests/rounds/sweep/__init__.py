"""The sweep: every step of every game, in every state of deck, hand, round and seat."""
