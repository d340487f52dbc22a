"""Laws that several families share."""
