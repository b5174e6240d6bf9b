"""The parts of bench/files.py."""
