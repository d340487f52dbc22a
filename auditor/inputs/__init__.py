"""What data an audit gives a mechanism: models of data, neighbours made of them, coupled runs and coverage."""
