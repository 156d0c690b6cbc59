"""Runs the tests, and writes their report to a file that only this program can open."""
import os
import sys
from os import _exit

import pytest

report = os.open("report.xml", os.O_WRONLY)
os.remove("report.xml")
# What pytest prints is shown with a failed run.
os.dup2(2, 1)
sys.stdout = sys.stderr
folder = os.path.dirname(os.path.abspath(__file__))
status = pytest.main([
    "-q", "--tb=short", "-p", "no:cacheprovider",
    f"--junitxml=/proc/self/fd/{report}", os.path.join(folder, "tests.py"),
])
# No code of the student runs after the report is complete.
_exit(status)
