"""Set union with adaptive weights: users reroute a share of the weight that keys have above a level."""
