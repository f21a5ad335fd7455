"""Grading: submissions that strangers wrote, by the thousand."""
