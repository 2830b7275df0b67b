"""What an operator sees: figures of the running bot, served for Prometheus. Where METRICS_PORT is not set nothing of it
is imported; what is counted is told by signals, which then nobody hears."""
