"""What the sparse-histogram mechanisms are compared with or built from: one mechanism a module."""
