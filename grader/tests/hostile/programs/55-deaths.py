# Dies in the way that its argument names.
# The report must tell how.
import ctypes
import os
import signal
import sys

way = sys.argv[2]
if way == "abort":
    os.abort()
elif way == "throw":
    raise ValueError("as asked")
elif way == "term":
    signal.raise_signal(signal.SIGTERM)
elif way == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif way == "null":
    ctypes.string_at(0)
else:
    sys.exit(int(sys.argv[3]))
