"""Where is my parcel? A small client for one carrier's web service."""
