"""The failure collection, and how an agent comes through it: `labkit survive`."""
