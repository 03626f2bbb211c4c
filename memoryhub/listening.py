"""Opening the port to listen on, and what to say when that is not possible."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress


class CannotListen(Exception):
    """The address cannot be listened on; the text is a sentence. ``in_use`` when somebody else does."""

    def __init__(self, sentence: str, in_use: bool = False) -> None:
        super().__init__(sentence)
        self.in_use = in_use


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of ``host``; port 0 takes a free one, the same for all. Raises CannotListen.

    ``localhost`` is 127.0.0.1 and ::1; a machine without the second still serves the first.
    """
    opened: list[socket.socket] = []
    try:
        for family, address in _addresses(host, port):
            try:
                opened.append(_open(family, (address, opened[0].getsockname()[1] if opened else port)))
            except OSError as error:
                if not opened or error.errno == errno.EADDRINUSE:
                    raise CannotListen(_why(error, host, port), error.errno == errno.EADDRINUSE) from error
    except CannotListen:
        for each in opened:
            each.close()
        raise
    return opened


def _addresses(host: str, port: int) -> list[tuple[socket.AddressFamily, str]]:
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise CannotListen(
            f"{host} is no name or address of this machine. Leave --host out to use 127.0.0.1."
        ) from error
    found = {(family, str(address[0])): None for family, _, _, _, address in infos}
    return sorted(found, key=lambda each: each[0] != socket.AF_INET)


def _open(family: socket.AddressFamily, address: tuple[str, int]) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would let two servers share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            with suppress(OSError):
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
        made.listen(128)  # before anything else is prepared, so that nobody takes the port meanwhile
    except OSError:
        made.close()
        raise
    return made


def _why(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} on {host} is in use by another program."
        case errno.EACCES:
            return f"Port {port} is reserved for the system. Choose one above 1023, for example --port 8765."
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this machine. Leave --host out to use 127.0.0.1."
        case _:
            return f"Port {port} on {host} cannot be opened ({error.strerror})."
