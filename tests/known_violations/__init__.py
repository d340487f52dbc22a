"""Public mechanisms that are known to break their claim, written afresh, and right ones beside them."""
