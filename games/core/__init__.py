"""Shared by all games: ledger, moves, steps, messages, actions, prompts, phases, boards."""
