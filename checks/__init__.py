"""What is checked of the program beside style, types and tests."""
