"""Destruction: what is deleted, overwritten, locked away or wiped."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity

_RM: Final = (
    r"\brm[ \t]{1,4}(?:-{1,2}[\w=-]{1,30}[ \t]{1,4}){0,4}-(?:\w{0,3}[rR]\w{0,3}[fF]?\w{0,3}"
    r"|-recursive)[ \t]{1,4}(?:-{1,2}[\w=-]{1,30}[ \t]{1,4}){0,3}[\"']?"
)
_END: Final = r"(?=[\"'`\s;|&)]|$)"
_MILD: Final = {
    Kind.REFERENCE: Severity.MEDIUM,
    Kind.TEST: Severity.LOW,
    Role.PROSE: Severity.MEDIUM,
    Role.INLINE_CODE: Severity.MEDIUM,
}

DESTRUCTIVE: tuple[Rule, ...] = (
    Rule(
        id="destructive_root_rm",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Deletes the system",
        why="Everything below the root or a system folder is gone.",
        harmless="An example of what must never be run.",
        check="Do not run it.",
        pattern=rf"{_RM}(?:/\*?|/(?:etc|usr|bin|sbin|lib|lib64|boot|home|var|root|opt|Users|System"
        rf"|Applications|Library)/?\*?){_END}|--no-preserve-root",
        hints=("rm ", "rm\t", "--no-preserve-root"),
        at=_MILD,
        matches=("rm -rf /", "sudo rm -r --force /etc"),
        look_alikes=("rm -rf /tmp/work", "rm -rf ./build"),
    ),
    Rule(
        id="destructive_home_rm",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Deletes everything a person has",
        why="The whole home folder, or the folders with documents, are gone.",
        harmless="An example of what must never be run.",
        check="Do not run it.",
        pattern=rf"{_RM}(?:~|\$\{{?HOME\}}?|/home/\$?\{{?\w{{1,30}}\}}?|/Users/\w{{1,30}})(?:/\*?"
        rf"|/(?:Documents|Desktop|Pictures|Downloads)/?\*?)?[\"']?{_END}",
        hints=("rm ", "rm\t"),
        at=_MILD,
        matches=("rm -rf ~/", 'rm -rf "$HOME"'),
        look_alikes=("rm -rf ~/.cache/thing", 'rm -rf "$HOME/build"'),
    ),
    Rule(
        id="rm_around",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Deletes whatever stands around it",
        why="What is deleted depends on the folder in which it is run.",
        harmless="Cleaning up a folder that was just made.",
        check="In which folder is it run?",
        pattern=rf"{_RM}(?:\.\./(?:\*|\.\.)|\.\.{_END}|\./?\*[ ]\.\./|\*[ ]{{0,2}}$)|\brm\b[^\n]{{0,20}}?\$\(cat[ ]"
        r"|\brm[ ]-\w{1,4}[ ]\./\*[^\n]{0,60}\.\./",
        hints=("rm ",),
        at={**_MILD, Kind.REFERENCE: Severity.LOW},
        matches=("rm -rf ./* ../*", "rm $(cat names.txt)"),
        look_alikes=("rm -rf ./build/*", "rm ../old.txt"),
    ),
    Rule(
        id="system_overwrite",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Overwrites who may log in",
        why="The machine can be taken over, or nobody gets in any more.",
        harmless="Building a container image.",
        check="Do not run it on a machine you use.",
        pattern=r"(?:>>?|\btee\b(?:[ ]-a)?)[ \t]{0,4}/etc/(?:passwd|shadow|group|pam\.d/\w{1,30}|ld\.so\.preload)\b",
        hints=("/etc/",),
        at=_MILD,
        matches=("echo 'x:x:0:0::/:/bin/sh' >> /etc/passwd", "cat a | tee /etc/ld.so.preload"),
        look_alikes=("cat /etc/passwd", "echo x > /etc/hostname"),
    ),
    Rule(
        id="truncate_system",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Empties a file of the system",
        why="Settings or records are lost.",
        harmless="Hardly ever.",
        check="Which file, and why?",
        pattern=r"(?:^|[;&|])[ \t]{0,4}(?::|true|cat[ ]/dev/null)?[ \t]{0,4}>[ \t]{0,4}/(?:etc"
        r"|var/log|boot)/\S{2,60}[ \t]{0,4}$|\btruncate[ ]-s[ ]?0[ ]/(?:etc|var|boot)/",
        hints=("/etc", "/var", "/boot"),
        at=_MILD,
        matches=("truncate -s 0 /var/log/syslog", ": > /etc/hosts"),
        look_alikes=("truncate -s 0 out.log", "echo x > /tmp/etc"),
    ),
    Rule(
        id="format_filesystem",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Formats a disk",
        why="Everything on it is gone.",
        harmless="Setting up a new disk or a card for a board.",
        check="Is it the right device?",
        pattern=r"\bmkfs(?:\.\w{2,8})?[ \t][^\n]{0,60}?/dev/\w{2,20}|\bwipefs[ ]-a\b|\bdiskutil[ ](?:eraseDisk"
        r"|eraseVolume)\b|\bformat[ ][c-z]:[ ]?/",
        hints=("mkfs", "wipefs", "diskutil", "format "),
        at=_MILD,
        matches=("mkfs.ext4 /dev/sdb1", "diskutil eraseDisk JHFS+ x disk2"),
        look_alikes=("mkfs.ext4 image.img", "Format the text."),
    ),
    Rule(
        id="disk_overwrite",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Overwrites a disk with nothing",
        why="Everything on it is gone.",
        harmless="Wiping an old disk.",
        check="Is it the right device?",
        pattern=r"\bdd[ \t][^\n]{0,80}?if=/dev/(?:zero|u?random)[^\n]{0,80}?of=/dev/(?:sd|hd|nvme"
        r"|vd|disk|mmcblk)|>[ ]?/dev/(?:sd[a-z]|nvme\d|hd[a-z]|vd[a-z])\b|\bshred\b[^\n]{0,40}/dev/",
        hints=("/dev/",),
        at=_MILD,
        matches=("dd if=/dev/zero of=/dev/sda bs=1M", "cat x > /dev/sda"),
        look_alikes=("dd if=/dev/zero of=swapfile bs=1M", "echo x > /dev/null"),
    ),
    Rule(
        id="fork_bomb",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Brings the machine to a halt",
        why="It starts itself again and again until nothing else runs.",
        harmless="An example of what must never be run.",
        check="Do not run it.",
        pattern=r":\(\)[ ]?\{[ ]?:[ ]?\|[ ]?:[ ]?&[ ]?\}[ ]?;[ ]?:|\bwhile True:\s{1,20}os\.fork\(\)",
        hints=(":|", ": |", "os.fork"),
        at=_MILD,
        matches=(":(){ :|:& };:", "while True:\n    os.fork()"),
        look_alikes=("os.fork()", "a || b"),
    ),
)
