"""The live faces: what can be clicked, moved and typed into (ipywidgets)."""
