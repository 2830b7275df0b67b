"""Players that think: search, evaluation, levels. It knows the rules and nothing else of the project."""
