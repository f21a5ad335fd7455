"""Display: what a notebook shows, each thing with a text face and an HTML face."""
