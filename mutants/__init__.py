"""Wrong programs made on purpose: does a test notice each of them?"""
