"""The command ``oracle``: one thin module for each subcommand."""
