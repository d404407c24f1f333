"""Django's PostgreSQL backend with a circuit breaker."""
