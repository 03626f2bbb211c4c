"""What bytes that are no text are, told by how they begin and never by the file's name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final


class Nature(StrEnum):
    """What can be expected of a file that is no text."""

    PROGRAM = "program"
    BYTECODE = "bytecode"
    ARCHIVE = "archive"
    MEDIA = "media"  # pictures, sound, fonts
    DOCUMENT = "document"
    DATA = "data"  # databases, models, arrays
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Content:
    """What a file is, by its first bytes; ``name`` for people."""

    nature: Nature
    name: str


_P, _B, _A, _M, _D, _T = Nature.PROGRAM, Nature.BYTECODE, Nature.ARCHIVE, Nature.MEDIA, Nature.DOCUMENT, Nature.DATA
_MAGIC: Final[tuple[tuple[bytes, Nature, str], ...]] = (
    (b"\x7fELF", _P, "a program for Linux (ELF)"),
    (b"\xfe\xed\xfa\xce", _P, "a program for macOS (Mach-O)"),
    (b"\xfe\xed\xfa\xcf", _P, "a program for macOS (Mach-O)"),
    (b"\xce\xfa\xed\xfe", _P, "a program for macOS (Mach-O)"),
    (b"\xcf\xfa\xed\xfe", _P, "a program for macOS (Mach-O)"),
    (b"\0asm", _P, "a WebAssembly program"),
    (b"!<arch>\ndebian", _P, "a Debian package"),
    (b"!<arch>\n", _P, "a library of programs"),
    (b"\xed\xab\xee\xdb", _P, "an RPM package"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _D, "an old Office document or installer"),
    (b"dex\n", _B, "Android byte code"),
    (b"\x1bLua", _B, "Lua byte code"),
    (b"BC\xc0\xde", _P, "LLVM byte code"),
    (b"PK\x03\x04", _A, "a zip archive"),
    (b"PK\x05\x06", _A, "an empty zip archive"),
    (b"\x1f\x8b", _A, "gzip-compressed"),
    (b"BZh", _A, "bzip2-compressed"),
    (b"\xfd7zXZ\0", _A, "xz-compressed"),
    (b"\x28\xb5\x2f\xfd", _A, "zstd-compressed"),
    (b"7z\xbc\xaf\x27\x1c", _A, "a 7z archive"),
    (b"Rar!\x1a\x07", _A, "a rar archive"),
    (b"MSCF", _A, "a cabinet archive"),
    (b"\x89PNG\r\n\x1a\n", _M, "a PNG picture"),
    (b"\xff\xd8\xff", _M, "a JPEG picture"),
    (b"GIF87a", _M, "a GIF picture"),
    (b"GIF89a", _M, "a GIF picture"),
    (b"\0\0\1\0", _M, "an icon"),
    (b"8BPS", _M, "a Photoshop picture"),
    (b"II*\0", _M, "a TIFF picture"),
    (b"MM\0*", _M, "a TIFF picture"),
    (b"OTTO", _M, "a font"),
    (b"\0\1\0\0", _M, "a font"),
    (b"ttcf", _M, "a font"),
    (b"true", _M, "a font"),
    (b"wOFF", _M, "a font"),
    (b"wOF2", _M, "a font"),
    (b"OggS", _M, "sound"),
    (b"fLaC", _M, "sound"),
    (b"ID3", _M, "sound"),
    (b"\xff\xfb", _M, "sound"),
    (b"\x1aE\xdf\xa3", _M, "a film"),
    (b"%PDF-", _D, "a PDF document"),
    (b"SQLite format 3\0", _T, "an SQLite database"),
    (b"\x93NUMPY", _T, "an array"),
    (b"\x89HDF\r\n\x1a\n", _T, "an HDF5 file"),
    (b"PAR1", _T, "a Parquet table"),
    (b"ARROW1", _T, "an Arrow table"),
    (b"GGUF", _T, "a model"),
)
_RIFF: Final = {b"WEBP": "a WebP picture", b"WAVE": "sound", b"AVI ": "a film"}
_MACHO_FAT: Final = b"\xca\xfe\xba\xbe"
_BY_NAME: Final = {
    **dict.fromkeys(
        [
            "png",
            "jpg",
            "jpeg",
            "gif",
            "webp",
            "ico",
            "bmp",
            "tiff",
            "woff",
            "woff2",
            "ttf",
            "otf",
            "mp3",
            "mp4",
            "wav",
            "ogg",
            "mov",
            "avif",
            "heic",
            "icns",
            "eot",
        ],
        _M,
    ),
    **dict.fromkeys(["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "epub"], _D),
    **dict.fromkeys(
        [
            "db",
            "sqlite",
            "sqlite3",
            "npy",
            "npz",
            "parquet",
            "h5",
            "onnx",
            "gguf",
            "safetensors",
            "mo",
            "geojson",
            "pyd_",
        ],
        _T,
    ),
}


def tell(data: bytes, path: str) -> Content:
    """What bytes are that are no text. Only where no beginning is known does the name count, and never for programs."""
    if found := next((Content(nature, name) for magic, nature, name in _MAGIC if data.startswith(magic)), None):
        return found
    if special := _special(data):
        return special
    nature = _BY_NAME.get(PurePosixPath(path).suffix.lower().lstrip("."), Nature.UNKNOWN)
    if nature is _M and not _looks_compressed(data):
        nature = Nature.UNKNOWN
    return Content(nature, "of a kind that is not known" if nature is Nature.UNKNOWN else f"a file of {nature}")


def _special(data: bytes) -> Content | None:
    """Beginnings that need a second look."""
    if data[:2] == b"MZ" and len(data) > 64:
        return Content(_P, "a program for Windows (PE)")
    if data[:4] == _MACHO_FAT and len(data) >= 8:
        is_class = int.from_bytes(data[4:8], "big") >= 45
        return Content(_B, "a Java class") if is_class else Content(_P, "a program for macOS (Mach-O)")
    if data[2:4] == b"\r\n" and len(data) >= 16 and data[1] in range(0x06, 0x10):
        return Content(_B, "compiled Python")
    if data[257:262] == b"ustar":
        return Content(_A, "a tar archive")
    if data[4:8] == b"ftyp":
        return Content(_M, "a film or picture")
    if data[:4] == b"RIFF":
        return Content(_M, _RIFF.get(data[8:12], "sound or film"))
    if data[:2] == b"BM" and len(data) > 26:
        return Content(_M, "a bitmap")
    if data[:1] == b"\x80" and data[1:2] in b"\x02\x03\x04\x05" and data[-1:] == b".":
        return Content(_B, "a Python pickle, which can run code when it is loaded")
    return None


def _looks_compressed(data: bytes) -> bool:
    """Whether bytes are spread as in pictures and sound; machine code and padded text are not."""
    return len(set(data[:4096])) > 128 or len(data) < 256
