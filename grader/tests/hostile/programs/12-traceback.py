# Would leave a file in the folder of the build, were it imported while the program is built.
# See `12-shadow.py`.
import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "note"), "w") as file:
    file.write("note")


def format_exception_only(*anything):
    return []
