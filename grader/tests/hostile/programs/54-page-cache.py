# Asks the kernel what it has in memory of a large file of the library, and to forget it: notes for a later run.
# An interpreter sees files of the system's disk; every such call must be refused.
import mmap
import os

allowed = []
with open(os.__file__, "rb") as file:
    for name in ("POSIX_FADV_DONTNEED", "POSIX_FADV_WILLNEED", "POSIX_FADV_RANDOM"):
        try:
            os.posix_fadvise(file.fileno(), 0, 0, getattr(os, name))
            allowed.append(name)
        except OSError:
            pass
    try:
        os.preadv(file.fileno(), [bytearray(4096)], 0, os.RWF_NOWAIT)
        allowed.append("RWF_NOWAIT")
    except OSError:
        pass
    # Advice on memory is taken and not followed.
    with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as memory:
        memory.madvise(mmap.MADV_RANDOM)
print(allowed or 42)
