"""Deterministic, offline judges of office files. Nothing in here executes what it judges."""
