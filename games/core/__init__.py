"""What all games share: ledger, moves, steps, messages, actions, prompts, phases, boards."""
