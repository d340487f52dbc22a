"""Noise laws, one a module, each with its sampler and its cumulative distribution or probability mass function."""
