"""Figure 3: least noise and thresholds at (0.349, 1e-5), by formulas and by draws."""
