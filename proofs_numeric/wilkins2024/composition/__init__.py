"""Several releases of the Gaussian sparse histogram: the user or its neighbour is in all of them."""
