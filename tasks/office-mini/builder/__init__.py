"""The deterministic builder of the pack's inputs."""
