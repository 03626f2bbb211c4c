"""What is in an archive: its names, and the text of members that may matter, within bounds and without unpacking."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

MOST_NAMES: Final = 2_000
MOST_MEMBER: Final = 512 * 1024
MOST_TOTAL: Final = 4 * 1024 * 1024
_PROBLEMS: Final = (
    zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError, ValueError,
    RuntimeError, NotImplementedError, KeyError, IndexError, OverflowError, UnicodeError, MemoryError,
)  # fmt: skip


@dataclass
class Looked:
    """What was seen in an archive: ``members`` maps names to the bytes that were read."""

    names: list[str] = field(default_factory=list)
    members: dict[str, bytes] = field(default_factory=dict)
    encrypted: list[str] = field(default_factory=list)
    escaping: list[str] = field(default_factory=list)  # names that lead out of the folder it is unpacked in
    unread: list[str] = field(default_factory=list)  # too large, or past a bound
    problem: str = ""  # why it could not be looked into, in words


def look_into(data: bytes, path: str) -> Looked:
    """Look into an archive of any known kind. Never raises; what cannot be read is named."""
    looked = Looked()
    try:
        if data[:2] == b"PK":
            _zip(data, looked)
        elif data[257:262] == b"ustar":
            _tar(data, looked)
        elif data[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7"):
            _compressed(data, path, looked)
        else:
            looked.problem = "an archive of this kind is not opened"
    except _PROBLEMS as error:
        looked.problem = f"the archive is damaged or of an unusual kind: {str(error)[:80] or type(error).__name__}"
    return looked


def _zip(data: bytes, looked: Looked) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        _name(looked, [info.filename for info in infos])
        for info in infos[:MOST_NAMES]:
            if info.flag_bits & 0x1:
                looked.encrypted.append(info.filename)
            elif not info.is_dir():
                _keep(looked, info.filename, _member(archive, info, _room(looked)))


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes | None:
    """The bytes of a member; None when there are more than fit. What the header claims is not believed."""
    if room <= 0:
        return None
    with archive.open(info) as file:
        data = file.read(min(MOST_MEMBER, room) + 1)
    return data if len(data) <= min(MOST_MEMBER, room) else None


def _tar(data: bytes, looked: Looked) -> None:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for count, info in enumerate(archive):
            if count >= MOST_NAMES:
                looked.unread.append("further members")
                return
            _name(looked, [info.name])
            if info.issym() or info.islnk():
                _name(looked, [info.linkname], only_check=True)
            elif info.isfile():
                file = archive.extractfile(info) if 0 <= info.size <= min(MOST_MEMBER, _room(looked)) else None
                _keep(looked, info.name, file.read() if file else None)


def _compressed(data: bytes, path: str, looked: Looked) -> None:
    """A compressed tar archive, or one compressed file."""
    inner = _opened(data).read(MOST_TOTAL + 1)
    if inner[257:262] == b"ustar":
        _tar(inner[:MOST_TOTAL], looked)
        if len(inner) > MOST_TOTAL:
            looked.unread.append("what follows the first 4 MiB")
        return
    name = PurePosixPath(path).stem
    _name(looked, [name])
    _keep(looked, name, inner if len(inner) <= MOST_TOTAL else None)


def _opened(data: bytes) -> io.BufferedIOBase:
    """The bytes that compressed bytes stand for; unpacked only as far as they are read."""
    packed = io.BytesIO(data)
    if data[:2] == b"BZ":
        return bz2.open(packed)
    return lzma.open(packed) if data[:2] == b"\xfd7" else gzip.open(packed)


def _name(looked: Looked, names: list[str], *, only_check: bool = False) -> None:
    looked.escaping += [name for name in names if _escapes(name)]
    if not only_check:
        looked.names += names[: MOST_NAMES - len(looked.names)]


def _escapes(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or (len(name) > 1 and name[1] == ":")


def _keep(looked: Looked, name: str, data: bytes | None) -> None:
    if data is None:
        looked.unread.append(name)
    else:
        looked.members[name] = data


def _room(looked: Looked) -> int:
    return MOST_TOTAL - sum(map(len, looked.members.values()))
