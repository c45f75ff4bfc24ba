"""The site and the printed pages: what users see in a browser or on paper."""
