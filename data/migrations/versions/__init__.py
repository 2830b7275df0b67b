"""The migrations, one a file."""
