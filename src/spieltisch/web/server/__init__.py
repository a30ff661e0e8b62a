"""The process that serves: starting and stopping, where data lies, what is logged, what the system is told."""
