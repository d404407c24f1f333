"""Benchmarks. Each figure is compared with a baseline that is measured in the same run."""
