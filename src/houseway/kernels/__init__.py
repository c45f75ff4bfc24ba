"""The only modules that import numba: arrays in, arrays out, and no rules of their own."""
