"""Replays: outputs of which it is known what a judge must say about them."""
