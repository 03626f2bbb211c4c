"""Exfiltration, second part: where secrets are read, from files, variables, browsers, wallets and screens."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity
from skills_app.guard.rules.fragments import FOREIGN, KEY_FILE, SECRET_NAME

_HOME: Final = (
    r"(?:~|\$\{?HOME\}?|/home/[\w.$-]{1,40}|/root|/Users/[\w.$-]{1,40}|expanduser\([\"']~"
    r"|Path\.home\(\)[ ]?/[ ]?[\"'])[/\\]?"
)
_USES: Final = "Needed by every tool that talks to a service in your name."
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


READING_SECRETS: tuple[Rule, ...] = (
    Rule(
        id="read_secrets_file",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Shows a file of secrets",
        why="What is shown ends up in the conversation, and so at the model's maker and in logs.",
        harmless="Looking at your own settings by yourself.",
        check="Would one value do? Read that one, without showing it.",
        pattern=r"(?:\b(?:cat|less|more|head|tail|bat|type|Get-Content|strings)[ \t]{1,4}(?:-{1,2}\w{1,12}[ \t]{1,"
        r"4}){0,2}[\"']?(?:[\w.~$/{}-]{0,60}/)?"
        r"(?:\.env(?:\.(?:local|production|prod|development))?|\.netrc|\.npmrc|\.pypirc|\.pgpass"
        r"|\.git-credentials|credentials(?:\.json)?|id_(?:rsa|ed25519|ecdsa|dsa)|secrets\.(?:ya?ml"
        r"|json|env))(?![\w.*/-]))",
        hints=(".env", ".netrc", ".npmrc", ".pypirc", ".pgpass", "credentials", "id_", "secrets."),
        unless=r"[|][ \t]*(?:grep|cut|wc|sed|awk|jq)\b|<<|\.hermes/|>>?[ \t]*\S*\.env",
        at={Kind.REFERENCE: Severity.MEDIUM, Kind.TEST: Severity.LOW, Role.PROSE: Severity.MEDIUM},
        matches=("cat .env", "cat ~/.aws/credentials"),
        look_alikes=("cat .env.example", "cp .env.example .env", "cat > .env <<EOF"),
    ),
    Rule(
        id="hermes_env_access",
        severity=Severity.LOW,
        category=Category.EXFILTRATION,
        title="Names the file with the agent's keys",
        why="The file .hermes/.env holds every key the agent was given.",
        harmless="Setting the agent up: telling where a key belongs.",
        check="Is it read, and where does that go?",
        pattern=r"\.(?:hermes|openclaw|clawdbot|moltbot)[/\\]{1,2}(?:\.env|credentials|[\w-]{1,20}\.json)\b",
        hints=(".hermes", ".openclaw", ".clawdbot", ".moltbot"),
        matches=("Put the key into ~/.hermes/.env.", "source ~/.hermes/.env"),
        look_alikes=("~/.hermes/skills", "hermes config show"),
    ),
    _folder(
        "ssh_dir_access",
        "Uses the folder with SSH keys",
        "ssh",
        "keys that open other machines",
        ("ls ~/.ssh", "cat $HOME/.ssh/config"),
        ("ssh host", "open-ssh docs"),
    ),
    _folder(
        "aws_dir_access",
        "Uses the folder with AWS keys",
        "aws",
        "keys of an AWS account",
        ("ls ~/.aws", "cat ~/.aws/config"),
        ("aws s3 ls", "docs.aws"),
    ),
    _folder(
        "gpg_dir_access",
        "Uses the folder with GPG keys",
        "gnupg",
        "keys to sign and decrypt with",
        ("ls ~/.gnupg", "cp ~/.gnupg/x y"),
        ("gpg --verify a.sig", "the gnupg project"),
    ),
    _folder(
        "kube_dir_access",
        "Uses the folder with cluster keys",
        "kube",
        "keys of Kubernetes clusters",
        ("cat ~/.kube/config", "ls $HOME/.kube"),
        ("kubectl get pods", "the kube API"),
    ),
    _folder(
        "docker_dir_access",
        "Uses the folder with registry keys",
        "docker",
        "logins of image registries",
        ("cat ~/.docker/config.json", "ls ~/.docker"),
        ("docker ps", "the docker folder"),
    ),
    Rule(
        id="private_key_read",
        severity=Severity.HIGH,
        category=Category.EXFILTRATION,
        title="Opens a file that holds keys",
        why="Code that reads key files can pass them on.",
        harmless="A client that signs in with that key.",
        check="Follow what happens to what is read.",
        pattern=r"(?:\bopen\(|read_text\(|readFileSync\(|readFile\(|File\.read\(|os\.walk\(|glob\()[^\n]{0,60}?("
        rf"?:{KEY_FILE}|\.ssh[/\\\"']|\.aws[/\\\"']|Login[ ]Data|key4\.db|logins\.json)"
        r"|(?:expanduser|homedir|home\(\))[^\n]{0,30}?(?:\.aws/credentials|\.ssh/id_|\.ssh[\"']"
        r"|\.netrc|\.git-credentials|\.gnupg)",
        hints=(
            ".ssh",
            ".aws",
            ".gnupg",
            ".kube",
            ".azure",
            ".docker",
            ".config",
            ".netrc",
            ".npmrc",
            ".pypirc",
            ".pgpass",
            ".git-cred",
            "_history",
        )
        + (
            "keychains",
            "id_",
            "shadow",
            "wallet",
            ".env",
            "environ",
            "login data",
            "key4.db",
            "logins.json",
            ".hermes",
            ".openclaw",
            ".clawdbot",
        ),
        unless=r"\.config[/\\](?:gcloud|gh)|load_dotenv|\.hermes|\.env\b|\.kube|\.docker|\.openclaw|\.clawdbot",
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW, Role.PROSE: Severity.LOW},
        matches=('open(os.path.expanduser("~/.ssh/id_rsa"))', 'path = os.path.expanduser("~/.aws/credentials")'),
        look_alikes=('open("notes.txt")', 'Path.home() / ".cache"'),
    ),
    Rule(
        id="secret_to_host",
        severity=Severity.LOW,
        category=Category.EXFILTRATION,
        title="Uses a secret and the network: check the host",
        why="The key is shown to the server that is called.",
        harmless=_USES,
        check="Is the host the service that issued the key?",
        pattern=rf"(?<![\w.-])(?:curl|wget|http|xh)[ \t](?=[^\n]{{0,400}}?{FOREIGN})[^\n]{{0,300}}?\$[\{{(]?"
        rf"{SECRET_NAME}",
        hints=("curl", "wget", "http", "xh"),
        matches=(
            'curl -H "Authorization: Bearer $SERVICE_TOKEN" https://api.example.test/v1/me',
            "wget --header 'X-Key: $MAIL_API_KEY' https://api.example.test",
        ),
        look_alikes=("curl https://api.example.test/v1/me", "echo $SERVICE_TOKEN"),
    ),
    Rule(
        id="python_getenv_secret",
        severity=Severity.LOW,
        category=Category.EXFILTRATION,
        title="Reads a key from the environment",
        why="The script can do with the key whatever it likes.",
        harmless=_USES,
        check="Where does the value go?",
        pattern=rf"os\.(?:getenv\(|environ(?:\.get\(|\[))[ ]?[\"']{SECRET_NAME}",
        hints=("os.getenv", "os.environ"),
        matches=('os.environ.get("SERVICE_API_KEY")', 'os.getenv("MAIL_TOKEN")'),
        look_alikes=('os.getenv("HOME")', 'os.environ["LANG"]'),
    ),
    Rule(
        id="node_process_env",
        severity=Severity.LOW,
        category=Category.EXFILTRATION,
        title="Reads a key from the environment",
        why="The script can do with the key whatever it likes.",
        harmless=_USES,
        check="Where does the value go?",
        pattern=r"(?:process\.env(?:\.|\[[\"'])|Deno\.env\.get\([\"']|Bun\.env\.|ENV(?:\.fetch\("
        rf"|\[)[\"']){SECRET_NAME}",
        hints=("process.env", "deno.env", "bun.env", "env[", "env.fetch"),
        matches=("const key = process.env.MAIL_API_KEY", 'key = ENV["MAIL_TOKEN"]'),
        look_alikes=("process.env.HOME", 'ENV["LANG"]'),
    ),
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
