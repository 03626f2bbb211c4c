"""Pieces of patterns that several rules share, each with a name that says what it stands for. All are bounded."""

from __future__ import annotations

from typing import Final

LINE: Final = r"[^\n]{0,200}?"  # anything else on the line
NEAR: Final = r"[^\n]{0,80}?"
CLOSE: Final = r"[^\n]{0,40}?"
SOON: Final = r"[^\0]{0,400}?"  # anything else, over lines
B: Final = r"[ \t]{1,9}"
B0: Final = r"[ \t]{0,9}"
QUOTE0: Final = r"""["'`]{0,2}"""

# Addresses of this machine and of private networks; names that documentation uses for them.
_HERE: Final = (
    r"localhost|127\.\d|0\.0\.0\.0|\[?::1|10\.\d{1,3}\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal"
    r"|[\w-]{1,60}\.(?:local|internal|lan|test\.local)\b"
)
HERE: Final = rf"(?:{_HERE})"

# Where makers of well-known developer tools publish the installer that their own documentation pipes into a shell.
VENDORS: Final = (
    r"(?:[\w-]{1,40}\.){0,3}(?:"
    r"rustup\.rs|get\.docker\.com|docker\.com|python-poetry\.org|astral\.sh|bun\.sh|deno\.land"
    r"|deno\.com|pnpm\.io|volta\.sh"
    r"|nodesource\.com|nixos\.org|determinate\.systems|brew\.sh|sdkman\.io|starship\.rs|tailscale\.com|k3s\.io|helm\.sh"
    r"|ollama\.com|ollama\.ai|lmstudio\.ai|claude\.ai|anthropic\.com|openai\.com|opencode\.ai|cursor\.com|x\.ai|hf\.co"
    r"|huggingface\.co|nvidia\.com|google\.com|google|googleapis\.com|microsoft\.com|aka\.ms"
    r"|azure\.com|amazonaws\.com/aws"
    r"|awscli\.amazonaws\.com|amazon\.com|apple\.com|fly\.io|vercel\.com|netlify\.com|cloudflare\.com|supabase\.com"
    r"|railway\.com|railway\.app|render\.com|heroku\.com|digitalocean\.com|hashicorp\.com|pulumi\.com|grafana\.com"
    r"|datadoghq\.com|sentry\.io|semgrep\.dev|snyk\.io|codecov\.io|circleci\.com|gitlab\.com|github\.com/cli"
    r"|cli\.github\.com|coderabbit\.ai|heygen\.ai|heygen\.com|parallel\.ai|inference\.sh|lambdalabs\.com|lambda\.ai"
    r"|modal\.com|replicate\.com|runpod\.io|wandb\.ai|duckdb\.org|clickhouse\.com|cockroachlabs\.com|turso\.tech"
    r"|neon\.tech|prisma\.io|mise\.run|mise\.jdx\.dev|direnv\.net|chezmoi\.io|code-server\.dev|coder\.com|pixi\.sh"
    r"|anaconda\.com|anaconda\.org|conda\.io|micro\.mamba\.pm|julialang\.org|haskell\.org"
    r"|haskellstack\.org|elan\.lean-lang\.org"
    r"|opam\.ocaml\.org|sh\.opam\.ocaml\.org|get-coursier\.io|paradigm\.xyz|soliditylang\.org|solana\.com|anza\.xyz"
    r"|starkup\.sh|starknet\.io|sui\.io|aptos\.dev|proton\.me|1password\.com|bitwarden\.com"
    r"|pi-hole\.net|home-assistant\.io"
    r"|casaos\.io|coollabs\.io|dokploy\.com|nousresearch\.com|chocolatey\.org|scoop\.sh|ohmyz\.sh"
    r"|install\.zerotier\.com"
    r"|vector\.dev|influxdata\.com|elastic\.co|meilisearch\.com|deepgram\.com|elevenlabs\.io"
    r"|stripe\.com|warp\.dev|zed\.dev"
    r"|codeium\.com|windsurf\.com|factory\.ai|ampcode\.com|block\.xyz|atuin\.sh|dagger\.io"
    r"|tilt\.dev|garden\.io|okteto\.com"
    r"|linkerd\.io|istio\.io|fluxcd\.io|wasmtime\.dev|wasmer\.io|wasmedge\.org|fermyon\.com"
    r"|temporal\.io|expo\.dev|dot\.net"
    r"|rvm\.io|php\.new|composer\.github\.io|getcomposer\.org|cli\.moonrepo\.dev|moonrepo\.dev|earthly\.dev|jetify\.com"
    r"|devbox\.sh|flox\.dev|localstack\.cloud|buf\.build|encore\.dev|convex\.dev|openclaw\.ai|molt\.bot|clawd\.bot"
    r")(?=[/:?\s'\"`)|]|$)"
    r"|raw\.githubusercontent\.com/(?:Homebrew|nvm-sh|ohmyzsh|pyenv|rbenv|helm|kubernetes"
    r"|kubernetes-sigs|k3d-io|NousResearch"
    r"|nvidia|huggingface|openai|anthropics|google-gemini|microsoft|Azure|aws|golangci|aquasecurity"
    r"|anchore|docker|junegunn"
    r"|asdf-vm|jdx|oven-sh|denoland|vercel|supabase|hashicorp|argoproj|istio|tailscale|cli"
    r"|xdevplatform|render-oss|romkatv"
    r"|zsh-users|wasmerio|WasmEdge|leanprover|foundry-rs|railwayapp|block|sst|charmbracelet"
    r"|ajeetdsouza|creationix|actions)/"
)
_NOT_FOREIGN: Final = rf"(?:{_HERE}|{VENDORS})"

# Something to fetch from a host that is neither here nor such a vendor: a URL, a bare host, a variable.
FOREIGN: Final = (
    rf"(?:(?:https?|ftp):/{{1,2}}+(?!{_NOT_FOREIGN})[^\s'\"`|<>]{{3}}|[ \t'\"](?!-|{_NOT_FOREIGN})"
    rf"(?:[\w-]{{1,60}}\.){{1,4}}[a-z]{{2,12}}[/:?][^\s]|[ \t'\"](?!{_NOT_FOREIGN})[\w-]{{1,60}}\.(?:com"
    r"|net|org|io|xyz|ru|sh|dev|top|cc|me|app|co)\b"
    r"|\$\{?[a-z_])"
)
GITHUB_RAW: Final = r"https?://(?:raw\.githubusercontent\.com|gist\.githubusercontent\.com|github\.com)/"
SHELL: Final = r"(?:/(?:usr/)?bin/(?:env[ ]{1,3})?)?(?:ba|z|k|da|a|c|fi)?sh(?![\w.-])"
SUDO0: Final = (
    r"(?:(?:sudo|doas|env|command|exec|nohup|busybox)(?:[ \t]{1,9}-[A-Za-z-]{1,20}"
    r"|[ \t]{1,9}\w{1,30}=[^\s]{0,60}){0,3}[ \t]{1,9}){0,3}"
)
INTERPRETER: Final = (
    r"(?:/usr/bin/(?:env[ ]{1,3})?)?(?:python[\d.]{0,4}|node|perl|ruby|php|deno|bun|osascript|pwsh|lua)(?![\w.-])"
)
FETCH: Final = r"(?<![\w.-])(?:curl(?:\.exe)?|wget|aria2c|lynx)(?![\w-])"

SECRET_NAME: Final = r"\w{0,40}(?:api_?key|token|secret|passw(?:or)?d|credential|private_?key|access_?key)\w{0,20}"
SECRET_VARIABLE: Final = rf"\$[\{{(]?{SECRET_NAME}"
# Files that hold keys, below the home folder or by their own unmistakable names.
KEY_FILE: Final = (
    r"(?:(?:~|\$\{?HOME\}?|/home/[\w.-]{1,40}|/root|/Users/[\w.-]{1,40}|%USERPROFILE%)[/\\](?:\.ssh"
    r"|\.aws|\.gnupg|\.kube|\.azure|\.docker"
    r"|\.config[/\\](?:gcloud|gh|solana)|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials"
    r"|\.hermes[/\\]\.env|\.openclaw|\.clawdbot"
    r"|\.bash_history|\.zsh_history|Library/Keychains)[^\s'\"`;|&)]{0,60}|\bid_(?:rsa|ed25519"
    r"|ecdsa|dsa)\b(?!\.pub)|\.aws/credentials"
    r"|/etc/shadow|\bwallet\.dat\b|(?<![\w*])\.env(?:\.(?:local|production|prod))?(?![\w.*-])|/proc/self/environ)"
)
SEND_CODE: Final = (
    r"(?:requests|httpx|session|client|aiohttp|axios|urllib\.request|urllib3|http)\.(?:post"
    r"|put|patch|request|urlopen|get)\(|fetch\("
    r"|urlopen\(|\.sendall\(|sendBeacon\(|XMLHttpRequest|Net::HTTP|curl_exec|Invoke-(?:WebRequest"
    r"|RestMethod)|\bcurl[ \t]|\bwget[ \t]"
)

# Words of prose.
SEND: Final = (
    r"(?:send|upload|transmit|post|forward|exfiltrate|submit|deliver|push|copy|sync"
    r"|transfer|relay|ship|email|mail|leak|report|back[ ]?up|stream)"
)
PRIVATE: Final = (
    r"(?:workspace|conversation|chat(?:[ ](?:history|log))?|transcript|session(?:[ ](?:history"
    r"|token|log))?|message[ ]history|credentials?|secrets?"
    r"|passwords?|api[ _-]?keys?|(?:access|auth|session)[ _-]?tokens?|private[ ]keys?|ssh[ ](?:keys?"
    r"|files?)|environment(?:[ ]variables?)?|env(?:[ ]vars?|ironment)"
    r"|\.env\b|system[ _]prompt|memory|memories|memory\.md|user\.md|clipboard|browser[ ](?:history"
    r"|cookies|data)|search[ ]history|cookies|contacts"
    r"|emails?|inbox|patient[ ]data|customer[ ]data|personal[ ](?:data|information)|user(?:'s)?[ ](?:data"
    r"|files|input|information|queries|query)"
    r"|source[ ]code|codebase|repository|all[ ](?:files|data|documents|user)|every[ ](?:file"
    r"|message|prompt|query|request)|seed[ ]phrase|wallet)"
)
SECRET_WORD: Final = (
    r"(?:credentials?|secrets?|passwords?|api[ _-]?keys?|(?:access|auth|session|bearer)[ _-]?tokens?"
    r"|private[ ]keys?|ssh[ ](?:keys?|files?)"
    r"|environment[ ]variables|env[ ]vars|\.env\b|seed[ ]phrases?|mnemonics?|wallet[ ]keys?"
    r"|cookies|keychain|system[ _]prompt)"
)
ELSEWHERE: Final = (
    r"(?:https?://[^\s]|webhook|(?:our|a|an|the|this|my|their)[ ](?:[\w-]{1,20}[ ]){0,3}(?:server"
    r"|endpoint|collector|webhook|host|backend|url|domain|bucket|service)\b"
    r"|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}|(?:[\w-]{2,40}\.){1,3}(?:com|net|org|io|xyz"
    r"|ru|dev|top|cc|me|app|co|cloud|site)\b)"
)
USER: Final = r"(?:the[ ]|your[ ]|any[ ])?(?:end[- ])?(?:users?|humans?|person|operator|owner|people|them)\b"
EXFIL_HOST: Final = (
    r"(?:webhook\.site|requestbin\.\w{2,6}|requestcatcher\.com|(?:[\w-]{1,40}\.)?pipedream\.net"
    r"|[\w-]{1,60}\.burpcollaborator\.net|oastify\.com"
    r"|oast\.(?:pro|live|site|online|fun|me)|interact\.sh|interactsh\.com|dnslog\.cn|ceye\.io"
    r"|beeceptor\.com|hookbin\.com|postb\.in"
    r"|canarytokens\.com|requestrepo\.com|webhookinbox\.com|ngrok(?:-free)?\.(?:io|app|dev)"
    r"|trycloudflare\.com|transfer\.sh|file\.io|0x0\.st"
    r"|anonfiles\.com|gofile\.io|temp\.sh|bashupload\.com)"
)
PASTE_SITE: Final = (
    r"(?<![\w-])(?:glot\.io|pastebin\.\w{2,4}|rentry\.(?:co|org)|hastebin\.\w{2,4}|paste\.(?:ee"
    r"|rs|c-net\.org|mozilla\.org)|ghostbin\.\w{2,4}|dpaste\.\w{2,4}"
    r"|termbin\.com|ix\.io|0x0\.st|controlc\.com|telegra\.ph|justpaste\.it|privatebin\.\w{2,4}"
    r"|write\.as|textbin\.\w{2,4}|sprunge\.us|pastes\.\w{2,4}"
    r"|snippet\.host|paste\.sh|codepad\.\w{2,4}|ideone\.com|text\.is|notes\.io|bpa\.st|cutt\.ly"
    r"|bit\.ly|tinyurl\.com|is\.gd)(?![\w-])"
)
ATTACK_HOST: Final = (
    r"(?:[\w-]{1,40}\.){0,4}[\w-]{0,20}(?:attacker|evil|exfil|malicious|backdoor|c2|c2server"
    r"|phish|rogue|adversary|hostile|stealer|keylog|exploit)"
    r"[\w-]{0,20}(?:\.[\w-]{1,40}){0,3}\.(?:[a-z]{2,10})\b"
)
PUBLIC_IP: Final = (
    r"(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d"
    r"|1[01]\d|12[0-7])\.|22[4-9]\.|23\d\.|24\d\.|25[0-5]\."
    r"|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|1\.2\.3\.4|8\.8\.[48]\.[48]|1\.1\.1\.1|1\.0\.0\.1"
    r"|9\.9\.9\.9)(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])"
)
