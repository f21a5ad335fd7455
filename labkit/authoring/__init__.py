"""For those who write lessons: prove that a lesson holds what it promises."""
