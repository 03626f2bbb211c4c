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
            *(
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
            ),
            *(
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
)
