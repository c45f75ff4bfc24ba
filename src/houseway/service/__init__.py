"""The floor service: people come in over the network, and see what is theirs to see."""
