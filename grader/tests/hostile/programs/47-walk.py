# Walks through the folders that it sees, for files of the judge or of other students.
# Its own program, its toolchain and devices must be all.
import os
import sys

found = []
for folder in ["/tmp", "/home", "/root", "/srv", "/var", "/mnt", "/opt", "/run", "..", "/build/.."]:
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("proc", "usr", "lib", "lib64", "bin", "sbin", "sys")]
        for name in files:
            if name in ("secret.txt", "keep.txt", "problem.toml", "assignment.toml", "big.in", "main.c", "plain.c"):
                found.append(os.path.join(top, name))
print("\n".join(found[:20]) or 42)
