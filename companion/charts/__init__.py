"""Charts and the data behind them, shared by the report and the statistics pages."""
