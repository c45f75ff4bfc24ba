"""What a person sees in a browser or on paper."""
