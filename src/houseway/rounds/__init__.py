"""The round of play: dealing, its irregularities, and the record of a round."""
