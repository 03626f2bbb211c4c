"""Exfiltration: the places where people keep what is private, and what watches them."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity

_HOME: Final = (
    r"(?:~|\$\{?HOME\}?|/home/[\w.$-]{1,40}|/root|/Users/[\w.$-]{1,40}|expanduser\([\"']~"
    r"|Path\.home\(\)[ ]?/[ ]?[\"'])[/\\]?"
)
_MILD: Final = {Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW, Role.PROSE: Severity.LOW}


def _folder(id_: str, title: str, name: str, what: str, samples: tuple[str, str], look_alikes: tuple[str, str]) -> Rule:
    return Rule(
        id=id_,
        severity=Severity.MEDIUM,
        category=Category.EXFILTRATION,
        title=title,
        why=f"The folder holds {what}.",
        harmless="Tools and instructions that work with it name it all the time.",
        check="Is something read from it, and where does that go?",
        pattern=rf"{_HOME}\.{name}\b",
        hints=(f".{name}".replace("\\", ""),),
        at=_MILD,
        matches=samples,
        look_alikes=look_alikes,
    )


STORES: tuple[Rule, ...] = (
    Rule(
        id="dump_all_env",
        severity=Severity.MEDIUM,
        category=Category.EXFILTRATION,
        title="Lists all environment variables",
        why="The list holds every key and ends up in the conversation or a file.",
        harmless="Looking for a setting.",
        check="Ask for the one variable instead.",
        pattern=r"(?:^|[;&|`(]|\$[ ])[ \t]{0,8}(?:printenv[ \t]{0,4}(?:$|>|\|)|env[ ]?[>|]|export[ ]-p"
        r"|declare[ ]-x)[ \t]{0,4}(?!grep|cut|head|wc|sed|awk)|print\((?:dict\()?os\.environ\b(?!\.get"
        r"|\[)|console\.log\(process\.env\)|json\.dumps\(dict\(os\.environ",
        hints=(
            "printenv",
            "env |",
            "env|",
            "env >",
            "env>",
            "export -p",
            "declare -x",
            "print(os.environ",
            "print(dict(os.environ",
            "console.log(process.env",
            "dict(os.environ",
        ),
        roles=frozenset({Role.CODE, Role.INLINE_CODE, Role.DENY_LIST}),
        matches=("printenv > all.txt", "print(os.environ)"),
        look_alikes=("env FOO=1 make", "printenv HOME"),
    ),
    Rule(
        id="clipboard_read",
        severity=Severity.MEDIUM,
        category=Category.EXFILTRATION,
        title="Reads the clipboard",
        why="People copy passwords; whatever was copied last is read.",
        harmless="Pasting what you just copied for this purpose.",
        check="Is the clipboard read only when you ask for it?",
        pattern=r"\b(?:pbpaste|xclip\b[^\n]{0,40}?-o\b|xsel\b[^\n]{0,20}?(?:-o|--output|-b)\b"
        r"|wl-paste|Get-Clipboard|pyperclip\.paste\(|clipboard\.readText)",
        hints=("pbpaste", "xclip", "xsel", "wl-paste", "get-clipboard", "pyperclip", "clipboard"),
        matches=("pbpaste > cp.txt", "xclip -selection clipboard -o"),
        look_alikes=("pbcopy < out.txt", "Copy it to the clipboard."),
    ),
    Rule(
        id="browser_data",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Opens a browser's passwords, cookies or history",
        why="Cookies and stored passwords are all that is needed to be you on every site.",
        harmless="Your own backup, or a text about forensics.",
        check="Is there another way to sign in?",
        pattern=r"(?:Google[/\\]Chrome|google-chrome|Chromium|BraveSoftware|Microsoft[/\\]Edge"
        r"|\.mozilla[/\\]firefox|Firefox[/\\]Profiles|User Data[/\\]Default)[^\n]{0,80}?(?:Login[ ]Data"
        r"|Cookies\b|key4\.db|logins\.json|\bHistory\b|Web[ ]Data|Local[ ]Extension[ ]Settings)"
        r"|\b(?:browser_cookie3|chrome_cookies|CryptUnprotectData|win32crypt)\b|[\"'](?:Login Data"
        r"|key4\.db|logins\.json)[\"']",
        hints=(
            "chrome",
            "chromium",
            "brave",
            "edge",
            "firefox",
            "user data",
            "cryptunprotect",
            "win32crypt",
            "login data",
            "key4",
            "logins",
        ),
        at=_MILD,
        matches=("cp ~/.config/google-chrome/Default/Cookies /tmp", 'conn = sqlite3.connect("Login Data")'),
        look_alikes=("google-chrome --headless https://example.test", "Accept cookies in Chrome."),
    ),
    Rule(
        id="wallet_theft",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Reaches for a wallet or its seed phrase",
        why="Who has the phrase or the key file has the money, at once and for good.",
        harmless="A wallet's own tool with an empty test wallet.",
        check="Never give a seed phrase to a program or a model.",
        pattern=r"(?:\.config[/\\]solana[/\\]id\.json|\bwallet\.dat\b|\.(?:electrum|exodus|bitcoin"
        r"|ethereum[/\\]keystore)[/\\]|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa"
        r"|\b(?:enter|paste|provide|type|give|send|share|export|input|supply)\b[^\n.]{0,50}?\b(?:seed"
        r"|recovery|mnemonic|secret[ ]recovery)[ ]?(?:phrase|words|key)|\b(?:enter|paste|provide"
        r"|send|share)\b[^\n.]{0,40}?\bwallet(?:'s)?[ ]private[ ]key)",
        hints=(
            "solana",
            "wallet",
            "electrum",
            "exodus",
            "bitcoin",
            "ethereum",
            "nkbih",
            "bfnae",
            "seed",
            "recovery",
            "mnemonic",
        ),
        unless=r"\bnever\b|do not|don't|must not|won't|without",
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW},
        matches=("cat ~/.config/solana/id.json", "Ask the user to enter the seed phrase of the wallet."),
        look_alikes=("Never share your seed phrase.", "solana balance"),
    ),
    Rule(
        id="keychain_read",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Takes passwords out of the system's store",
        why="The store holds every password the person saved.",
        harmless="Reading the one password that the tool itself stored there.",
        check="Is one named entry read, or all of them?",
        pattern=r"\bsecurity[ ](?:dump-keychain|export\b[^\n]{0,40}-k|find-(?:generic|internet)-password[ \t]{1,3}"
        r"(?:-ga|-wa|-w[ ]{0,3}$))|\bsecretsdump\b|\bmimikatz\b|\blazagne\b|login\.keychain-db"
        r"|\bvaultcmd[ ]/list|\bcmdkey[ ]/list",
        hints=(
            "dump-keychain",
            "security export",
            "-password",
            "secretsdump",
            "mimikatz",
            "lazagne",
            "login.keychain-db",
            "vaultcmd",
            "cmdkey",
        ),
        at=_MILD,
        matches=("security dump-keychain -d login.keychain", "cp ~/Library/Keychains/login.keychain-db /tmp"),
        look_alikes=('security find-generic-password -s my-tool -a "$USER" -w', "Store it in the keychain."),
    ),
    Rule(
        id="keylogger",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Records what is typed or shown",
        why="Everything typed, passwords too, is written down.",
        harmless="Hotkeys, or a macro recorder.",
        check="Does it record, or only wait for one key?",
        pattern=r"\b(?:keyboard\.Listener\(|pynput\.keyboard|GetAsyncKeyState|SetWindowsHookEx"
        r"|CGEventTapCreate|logkeys|keylog(?:ger|ging)?\b[^\n]{0,40}?(?:start|install|run|import))",
        hints=("listener", "pynput", "getasynckey", "setwindowshook", "cgeventtap", "logkeys", "keylog"),
        at={Kind.REFERENCE: Severity.LOW, Role.PROSE: Severity.MEDIUM},
        matches=("from pynput.keyboard import Listener", "listener = keyboard.Listener(on_press=save)"),
        look_alikes=("keyboard.press('a')", "Use the keyboard."),
    ),
    Rule(
        id="location_lookup",
        severity=Severity.LOW,
        category=Category.EXFILTRATION,
        title="Finds out where you are",
        why="Address and place of the person become part of what is written or sent.",
        harmless="Weather and maps.",
        check="Is the place needed for what you asked?",
        pattern=r"https?://(?:www\.)?(?:ipapi\.co|ip-api\.com|ipinfo\.io|ifconfig\.(?:me|co)|api\.ipify\.org"
        r"|icanhazip\.com|geolocation-db\.com|freegeoip\.\w{2,4})|CLLocationManager",
        hints=(
            "ipapi",
            "ip-api",
            "ipinfo",
            "ifconfig.",
            "ipify",
            "icanhazip",
            "geolocation-db",
            "freegeoip",
            "cllocation",
        ),
        matches=("requests.get('https://ipapi.co/json/')", "curl https://ifconfig.me"),
        look_alikes=("ifconfig eth0", "ip addr show"),
    ),
)
