"""Destruction, second part: files locked away, traces removed, work lost."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity

_MILD: Final = {
    Kind.REFERENCE: Severity.MEDIUM,
    Kind.TEST: Severity.LOW,
    Role.PROSE: Severity.MEDIUM,
    Role.INLINE_CODE: Severity.MEDIUM,
}

LOSING: tuple[Rule, ...] = (
    Rule(
        id="files_locked_away",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Locks files and removes the originals",
        why="Without the password, which may be somewhere else, the files are lost. Ransom works like this.",
        harmless="An encrypted backup whose password you chose.",
        check="Who knows the password, and what is left afterwards?",
        pattern=r"(?:\b(?:encrypt|lock|password[- ]protect(?:ed)?|archive)\b[^\0]{0,260}?\b(?:delete"
        r"|remove|erase|shred)\b[^\n.]{0,40}?\b(?:originals?|unencrypted|other[ ]versions|source[ ]files?"
        r"|plain)|\b(?:delete|shred|remove)\b[^\n.]{0,40}\b(?:original|unencrypted)[ ](?:unencrypted[ ])?files?\b["
        r"^\n]{0,80}?\bencrypt)",
        hints=("encrypt", "lock", "protect", "archive"),
        unless=r"\bnever\b|do not|don't|\bkeep\b",
        kinds=frozenset({Kind.SKILL}),
        at={Role.CODE: Severity.MEDIUM},
        matches=(
            "Encrypt each document with a random password and delete the original.",
            "Lock the archive with a password, then remove all other versions.",
        ),
        look_alikes=("Encrypt the backup.", "Never delete the original after you encrypt it."),
    ),
    Rule(
        id="ransom_code",
        severity=Severity.CRITICAL,
        category=Category.DESTRUCTIVE,
        title="Removes the way back",
        why="Copies that the system keeps are deleted before files are locked.",
        harmless="Freeing space on a server, on purpose.",
        check="Do not run it.",
        pattern=r"\bvssadmin\b[^\n]{0,20}delete[ ]shadows|\bwbadmin[ ]delete\b|\bbcdedit\b[^\n]{0,60}recoveryenabl"
        r"ed[ ]no|\btmutil[ ]delete(?:localsnapshots)?\b[^\n]{0,20}(?:/|all)",
        hints=("vssadmin", "wbadmin", "bcdedit", "tmutil"),
        at=_MILD,
        matches=("vssadmin delete shadows /all /quiet", "wbadmin delete catalog -quiet"),
        look_alikes=("vssadmin list shadows", "tmutil startbackup"),
    ),
    Rule(
        id="traces_removed",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Removes its traces",
        why="Nobody can see afterwards what was done.",
        harmless="Keeping a password out of the shell's history.",
        check="What was to be hidden?",
        pattern=r"\bhistory[ ]-c\b|\bunset[ ]HISTFILE\b|HISTFILE=/dev/null|\bHISTSIZE=0\b|\brm\b[^\n]{0,20}?\.(?:b"
        r"ash|zsh)_history|>[ ]?~/\.(?:bash|zsh)_history|\bwevtutil[ ]cl\b|\bClear-EventLog\b"
        r"|\bClear-History\b|\brm[ ]-\w{1,3}[ ][^\n]{0,60}?/var/log/",
        hints=("history", "histfile", "histsize", "wevtutil", "clear-", "/var/log"),
        at=_MILD,
        matches=("history -c", "unset HISTFILE"),
        look_alikes=("history | grep x", "tail /var/log/syslog"),
    ),
    Rule(
        id="mass_delete",
        severity=Severity.MEDIUM,
        category=Category.DESTRUCTIVE,
        title="Deletes many files at once",
        why="A wrong folder or pattern takes what was needed.",
        harmless="Removing what the skill itself made.",
        check="Run the search without the deletion first.",
        pattern=r"\bfind[ ][^\n]{1,160}?(?:-delete\b|-exec[ ]rm\b|xargs[^\n]{0,20}[ ]rm\b)|\bRemove-Item\b[^\n]{0,"
        r"60}-Recurse\b[^\n]{0,20}-Force|\bdel[ ]/[sfq][ ]|\brm[ ]-\w{0,4}[rf]\w{0,4}[ ][^\n]{0,60}\*\.(?:tmp"
        r"|bak|log|docx?|xlsx?|pdf)\b",
        hints=("find ", "remove-item", "del /", "rm "),
        at={Kind.REFERENCE: Severity.LOW},
        matches=("find . -name '*.ics' -delete", "Remove-Item x -Recurse -Force"),
        look_alikes=("find . -name '*.ics'", "rm x.txt"),
    ),
    Rule(
        id="database_dropped",
        severity=Severity.MEDIUM,
        category=Category.DESTRUCTIVE,
        title="Deletes a database or all its rows",
        why="What was stored is gone.",
        harmless="Tests and migrations.",
        check="Which database?",
        pattern=r"\bDROP[ ](?:DATABASE|SCHEMA)\b|\bTRUNCATE[ ]TABLE\b|\bDELETE[ ]FROM[ ]\w{1,40}[ ]?;"
        r"|\bdropDatabase\(\)|\bFLUSHALL\b",
        hints=("drop ", "truncate ", "delete from", "dropdatabase", "flushall"),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW, Role.PROSE: Severity.LOW},
        matches=("DROP DATABASE shop;", "DELETE FROM orders;"),
        look_alikes=("DELETE FROM orders WHERE id = 3;", "DROP the ball"),
    ),
    Rule(
        id="git_history_lost",
        severity=Severity.MEDIUM,
        category=Category.DESTRUCTIVE,
        title="Throws away commits or uncommitted work",
        why="Work is lost, for others too.",
        harmless="Tidying a branch of your own.",
        check="Is there anything that is only here?",
        pattern=r"\bgit[ ]reset[ ]--hard[ ](?:HEAD[~^]|origin/)|\bgit[ ]push\b[^\n]{0,40}(?:--force\b(?!-with-leas"
        r"e)|[ ]-f\b)|\bgit[ ]clean[ ]-\w{0,3}f\w{0,3}|\bgit[ ]filter-branch\b",
        hints=("git ",),
        at={Kind.REFERENCE: Severity.LOW},
        matches=("git reset --hard HEAD~5", "git push --force origin main"),
        look_alikes=("git reset --soft HEAD~1", "git push --force-with-lease"),
    ),
    Rule(
        id="python_rmtree",
        severity=Severity.LOW,
        category=Category.DESTRUCTIVE,
        title="Deletes folders from a program",
        why="A wrong path takes what was needed.",
        harmless="Folders the program made.",
        check="Where does the path come from?",
        pattern=r"\bshutil\.rmtree\(|\bfs\.rm(?:Sync)?\([^\n)]{0,80}recursive|\brimraf\b|FileUtils\.rm_rf",
        hints=("rmtree", "fs.rm", "rimraf", "rm_rf"),
        matches=("shutil.rmtree(path)", "fs.rmSync(dir, { recursive: true })"),
        look_alikes=("os.remove(path)", "fs.rename(a, b)"),
    ),
    Rule(
        id="insecure_perms",
        severity=Severity.MEDIUM,
        category=Category.DESTRUCTIVE,
        title="Lets everybody write",
        why="Any program and any person on the machine can change these files.",
        harmless="A folder inside a container.",
        check="Who needs to write there?",
        pattern=r"\bchmod[ \t]{1,4}(?:-R[ ]|--recursive[ ])?(?:0?777|a\+rwx|o\+w|ugo\+rwx)\b|os\.chmod\([^\n)]{1,6"
        r"0}0o777|\bicacls\b[^\n]{0,60}Everyone:F",
        hints=("chmod", "icacls"),
        at={Kind.REFERENCE: Severity.LOW},
        matches=("chmod 777 .", "chmod -R a+rwx data"),
        look_alikes=("chmod +x run.sh", "Ask who may chmod server folders."),
    ),
    Rule(
        id="open_system_folder",
        severity=Severity.HIGH,
        category=Category.DESTRUCTIVE,
        title="Opens a folder of the system to everybody",
        why="Programs there run for all users; whoever may write there can replace them.",
        harmless="Quick help on a machine of your own.",
        check="Who needs to write there? Give only them the right.",
        pattern=r"\bchmod[ \t]{1,4}(?:-R[ ]|--recursive[ ])?(?:0?777|a\+rwx|ugo\+rwx)[ ][\"']?/(?:etc"
        r"|usr|opt|var|bin|sbin|lib|home|root|srv)?(?:/|[\s\"';]|$)",
        hints=("chmod",),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW, Role.PROSE: Severity.LOW},
        unless=r"/(?:tmp|var/tmp|opt/data|var/run/docker)",
        matches=("chmod 777 /opt/shared", "chmod -R 777 /"),
        look_alikes=("chmod 777 /tmp/x", "chmod 755 /opt/shared"),
    ),
)
