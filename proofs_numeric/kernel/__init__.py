"""What decides statements over whole boxes."""
