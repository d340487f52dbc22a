"""Findings and the evidence behind them: what checks and audits return, and what reports are made of."""
