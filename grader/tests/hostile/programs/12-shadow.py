# Submits a module of the same name as one of the library's, which leaves a file where it is imported.
# The syntax check must not import it: it has a compiler's limits, and a folder that can be written to.
import os

note = os.path.join(os.path.dirname(os.path.abspath(__file__)), "note")
print("a module ran while the program was built" if os.path.exists(note) else 42)
