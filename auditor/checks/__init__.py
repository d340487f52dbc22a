"""The checks: plain functions from a subject to findings, found by discovery."""
