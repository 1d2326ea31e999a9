"""Criteria, delivery hurdle, reward arithmetic and the report."""
