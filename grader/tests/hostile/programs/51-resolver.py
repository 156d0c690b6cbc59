# Asks for the address of a name, and for the addresses of this machine.
# There must be no network to ask, and no address.
import socket

found = []
try:
    found += socket.getaddrinfo("example.com", 80)
except OSError:
    pass
try:
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    probe.connect(("192.0.2.1", 9))
    found.append(probe.getsockname())
except OSError:
    pass
print(found or 42)
