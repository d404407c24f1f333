"""Benchmarks. Each figure has a baseline that is measured in the same run."""
