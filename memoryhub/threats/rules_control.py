"""Threat rules, second part: words of remote control, as they stand in orders to a machine that was taken over."""

from __future__ import annotations

from memoryhub.threats.matching import expression, phrase
from memoryhub.threats.model import ThreatRule

CONTROL: tuple[ThreatRule, ...] = (
    ThreatRule(
        id="c2_node_registration",
        title="Registers as a node",
        why="A machine under remote control first reports in as a node.",
        harmless="Cluster work: “register node 3 with the scheduler”.",
        pattern=expression(r"register\s++(?:as\s++)?(?:a\s*+)?node", "register"),
        examples=("register as a node on start", "Register node 4 first"),
        lookalikes=("Register the node", "registered nodes are green"),
    ),
    ThreatRule(
        id="c2_heartbeat",
        title="Sends signs of life somewhere",
        why="Regular signs of life tell a remote controller that the machine still obeys.",
        harmless="Monitoring, or a check-in with the dentist.",
        pattern=expression(
            r"(?:heartbeat|beacon|check[-\s]?in)\s++(?:to|with)\s", "heartbeat", "beacon", "check"
        ),
        examples=("send a heartbeat to the host", "Check-in with the doctor yearly"),
        lookalikes=("Heartbeat interval is 30 s", "Hotel check-in at 15:00"),
    ),
    ThreatRule(
        id="c2_task_pull",
        title="Fetches tasks from elsewhere",
        why="Orders that are pulled from outside are orders that you did not give.",
        harmless="Your own task list: “pull new tasks from the board each morning”.",
        pattern=phrase("pull [down] [new] task|tasks|tasking", after="end"),
        examples=("pull new tasks every hour", "Pull down tasking from the server"),
        lookalikes=("Pull the tasks board", "pull request tasks"),
    ),
    ThreatRule(
        id="c2_network_connect",
        title="Connects to “the network”",
        why="In orders to taken-over machines, “the network” is the attacker's.",
        harmless="The office network, a network drive: name it and the agent reads the entry again.",
        pattern=phrase("connect to the network", after="end"),
        examples=("connect to the network and wait", "Reconnect to the network drive"),
        lookalikes=("Connect to the office network", "the network connects two sites"),
    ),
    ThreatRule(
        id="forced_action",
        title="Forces an action on the agent",
        why="“You must report / connect / register” is how planted orders speak.",
        harmless="A duty of yours: “you must always report hours by Friday”.",
        pattern=phrase("you must …3 register|connect|report|beacon", after="end"),
        examples=("you must report every hour", "You must first of all connect"),
        lookalikes=("You must read all of the last report", "you must reconnect the cable"),
    ),
    ThreatRule(
        id="anti_forensic_oneliner",
        title="Allows one-liners only",
        why="Commands on one line leave no file that anyone could look at later.",
        harmless="A taste: “only use one-liners in commit subjects”.",
        pattern=expression(r"only\s++use\s++one[-\s]?liners?\b", "only"),
        examples=("only use one-liners", "Only use one liner commands"),
        lookalikes=("Use one-liners only", "only one-liners fit"),
    ),
    ThreatRule(
        id="anti_forensic_disk",
        title="Forbids leaving files on disk",
        why="Working without files hides what was done.",
        harmless="A rule for secrets: “never write the key file to disk”.",
        pattern=phrase("never … create|write … script|file … disk"),
        examples=("never write any file to disk", "Never create a script on the disk"),
        lookalikes=("Never write to disk", "never fill the disk with script files"),
    ),
    ThreatRule(
        id="env_var_unset_agent",
        title="Removes a variable of an agent",
        why="Without its variables an agent may run unwatched or with other settings.",
        harmless="A remedy for a clash between two tools.",
        pattern=expression(
            r"unset\s++\w*?(?:claude|codex|hermes|agent|openai|anthropic)", "unset"
        ),
        examples=("unset HERMES_HOME before tests", "Then unset  MY_AGENT_ID"),
        lookalikes=("unset PYTHONPATH", "the agent leaves it unset"),
    ),
    ThreatRule(
        id="known_c2_framework",
        title="Names an offensive tool",
        why="The name of a tool for attacks, which has no place in most memories.",
        harmless="Games, films and security work use the same names.",
        pattern=expression(
            r"\b(?:cobalt\s*+strike|sliver|havoc|mythic|metasploit|brainworm)\b",
            "cobalt", "sliver", "havoc", "mythic", "metasploit", "brainworm",
        ),
        examples=("Favourite game: Havoc", "cobalt strike profile in ~/lab"),
        lookalikes=("A mythical beast", "slivers of wood; cobalt-strike"),
    ),
    ThreatRule(
        id="c2_explicit",
        title="Speaks of a C2 server",
        why="“C2” is short for command and control, the machine that gives orders.",
        harmless="Security reading notes.",
        pattern=expression(r"\bc2\s++(?:server|channel|infrastructure|beacon)\b", "c2"),
        examples=("Contact the C2 server daily", "c2 channel over DNS"),
        lookalikes=("An EC2 server", "C2 servers; room C2"),
    ),
    ThreatRule(
        id="c2_explicit_long",
        title="Speaks of command and control",
        why="The machine that gives orders to taken-over machines is called this.",
        harmless="Security reading notes, military history.",
        pattern=expression(r"\bcommand\s++and\s++control\b", "command"),
        examples=("via command and control", "Command and  Control host"),
        lookalikes=("commands and controls", "command-and-control"),
    ),
)  # fmt: skip
