"""Learning from games: finished ones looked over, and puzzles."""
