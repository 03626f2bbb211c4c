"""Obfuscation, second part: programs and commands that are put together from text."""

from __future__ import annotations

from typing import Final

from skills_app.guard.model import Category, Kind, Role, Rule, Severity

_WHY: Final = "Nobody can read what will run. Honest commands do not need to be hidden."
_CHECK: Final = "Decode the text and read it. Do not run it."
_MILD: Final = {Kind.REFERENCE: Severity.MEDIUM, Kind.TEST: Severity.LOW}

MADE_OF_TEXT: tuple[Rule, ...] = (
    Rule(
        id="eval_string",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="Runs text as a program",
        why="Whatever the text says is done, and texts come from everywhere.",
        harmless="Hand-made calculators and templates with fixed text.",
        check="Can anyone else put something into the text?",
        pattern=r"(?<![\w.])eval[ ]?\([ ]?(?![)\"']{2}|\d)[^\n)]{1,80}|(?:^|[;&|(])[ \t]{0,8}eval[ \t]{1,4}[\"']?\$",
        hints=("eval",),
        roles=frozenset({Role.CODE, Role.DENY_LIST}),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW},
        unless=r"ssh-agent|direnv|shellenv|brew|pyenv|zoxide|starship|opam|minikube|literal_eval|page\.eval",
        matches=("result = eval(expression)", 'eval "$COMMAND"'),
        look_alikes=("model.eval()", 'eval "$(ssh-agent -s)"'),
    ),
    Rule(
        id="exec_string",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="Runs text as a program",
        why="Whatever the text says is done, and texts come from everywhere.",
        harmless="Plug-in loaders and teaching.",
        check="Can anyone else put something into the text?",
        pattern=r"(?:^|[\s;(=])exec[ ]?\([ ]?(?!\))(?:f?[\"']|\w{1,40}[ ]?[,)+]|compile\()",
        hints=("exec",),
        roles=frozenset({Role.CODE, Role.DENY_LIST}),
        at={Kind.REFERENCE: Severity.LOW, Kind.TEST: Severity.LOW},
        matches=('exec(f"{name} = {value}")', "exec(code)"),
        look_alikes=("cursor.exec(query)", "docker exec box ls"),
    ),
    Rule(
        id="exec_hidden_file",
        severity=Severity.CRITICAL,
        category=Category.OBFUSCATION,
        title="Runs a program from a hidden or temporary file",
        why="The file is not part of the skill; somebody else puts it there.",
        harmless="Hardly ever.",
        check="Who writes that file?",
        pattern=r"\b(?:exec|eval|compile)[ ]?\([^\n]{0,40}?open\([ ]?[\"'](?:/tmp/|/var/tmp/|/dev/shm/"
        r"|[\w~/.-]{0,60}/\.)[^\n]{0,80}?\.read\(",
        hints=("open(",),
        at=_MILD,
        matches=('exec(open("/tmp/.x").read())', "eval(compile(open('/tmp/.cache-1').read(), 'x', 'exec'))"),
        look_alikes=('exec(open("setup.py").read())', 'open("/tmp/x").read()'),
    ),
    Rule(
        id="python_getattr_builtins",
        severity=Severity.HIGH,
        category=Category.OBFUSCATION,
        title="Reaches functions by a roundabout way",
        why="The name of the function is hidden, so that nobody finds it by reading.",
        harmless="Frameworks and tests.",
        check="Which function is it?",
        pattern=r"getattr\([ ]?(?:__builtins__|builtins|__import__\(|os|sys|subprocess)[^\n]{0,40}?,[ ]?(?![\"']\w"
        r"{1,40}[\"'][ ]?,)(?:[\"']\w{1,12}[\"'][ ]?\+|[\"'](?:system|popen|exec|eval)[\"']|chr\("
        r"|[\"']{2}\.join)|__builtins__(?:\.__dict__)?\[|__dict__\[[ ]?[\"'](?:sys|ex|ev|po|sy)"
        r"|\.__subclasses__\(\)\[|globals\(\)\[[ ]?[\"'](?:__builtins__|e[\"']|ev[\"'])",
        hints=("getattr", "__builtins__", "__dict__", "__subclasses__", "globals()"),
        at=_MILD,
        matches=('getattr(os, "sys" + "tem")("ls")', '__builtins__["eval"](x)'),
        look_alikes=('getattr(args, "verbose", False)', 'getattr(os, "O_BINARY", 0)'),
    ),
    Rule(
        id="python_import_os",
        severity=Severity.HIGH,
        category=Category.OBFUSCATION,
        title="Takes in a module by a roundabout way",
        why="The usual import at the top of the file is avoided.",
        harmless="Small one-line commands.",
        check="What is done with the module?",
        pattern=r"__import__\([ ]?[\"'](?:os|subprocess|socket|pty|ctypes|base64|marshal)[\"'][ ]?\)\.\w"
        r"|(?:__import__|import_module)\([ ]?(?:[\"']\w{1,12}[\"'][ ]?\+|[\"']{2}\.join|chr\("
        r"|[\"']\w{2,20}[\"']\[::-1\]|\w{1,20}\(|[^\n)]{0,20}decode\()",
        hints=("__import__", "import_module"),
        at={**_MILD, Role.DENY_LIST: Severity.LOW, Role.COMMENT: Severity.LOW},
        matches=('__import__("os").system("ls")', 'importlib.import_module("o" + "s")'),
        look_alikes=('importlib.import_module(f"plugins.{name}")', "import os"),
    ),
    Rule(
        id="chr_building",
        severity=Severity.HIGH,
        category=Category.OBFUSCATION,
        title="Builds text from numbers",
        why=_WHY,
        harmless="Work with character sets.",
        check=_CHECK,
        pattern=r"(?:chr\([ ]?(?:0x)?\w{1,4}[ ]?\)[ ]?[+.,&][ ]?){4}|map\([ ]?chr[ ]?,[ ]?\[[ ]?(?:\d{1,3}[ ]?,[ ]"
        r"?){4}|String\.fromCharCode\([ ]?(?:(?:0x)?\w{1,4}[ ]?,[ ]?){4}|bytes\([ ]?\[[ ]?(?:\d{1,3},[ ]?){8,200}"
        r"\d{1,3}\][ ]?\)\.decode",
        hints=("chr", "fromcharcode", "bytes("),
        at=_MILD,
        matches=("chr(99)+chr(117)+chr(114)+chr(108)+chr(32)", "String.fromCharCode(99,117,114,108,32)"),
        look_alikes=("chr(10)", "String.fromCharCode(65)"),
    ),
    Rule(
        id="joined_parts",
        severity=Severity.HIGH,
        category=Category.OBFUSCATION,
        title="Puts a command together from pieces",
        why=_WHY,
        harmless="Building a command from options.",
        check="Join the pieces and read the result.",
        pattern=r"\b(?:eval|exec|bash[ ]-c|sh[ ]-c|os\.system|subprocess\.\w{2,14})[ ]?\(?[ ]?[\"']?(?:\$\{?\w{1,2"
        r"0}\}?){3,12}[\"']?[ )]{0,2}$|[\"']{2}\.join\([ ]?(?:reversed\(|\[[ ]?(?:[\"'][^\"'\n]{1,3}[\"'][ ]?,[ ]?"
        r"){5})|\b(?:exec|eval|os\.system)\([ ]?\w{1,20}(?:\[\d{1,3}\])?(?:[ ]?\+[ ]?\w{1,20}(?:\[\d{1,3}\])?){2,2"
        r"0}[ ]?\)",
        hints=(
            'eval "$',
            "eval $",
            '-c "$',
            "-c $",
            "os.system(",
            "exec(",
            "eval(",
            "subprocess.",
            '"".join',
            "''.join",
        ),
        at=_MILD,
        matches=('a="cu"; b="rl"; c=" x"\neval "$a$b$c"', "''.join(['c','u','r','l',' ','x'])"),
        look_alikes=('eval "$(direnv hook bash)"', "', '.join(['a', 'b'])"),
    ),
    Rule(
        id="string_reversal",
        severity=Severity.MEDIUM,
        category=Category.OBFUSCATION,
        title="Turns text round before it is used",
        why=_WHY,
        harmless="Puzzles and palindromes.",
        check=_CHECK,
        pattern=r"(?:exec|eval|system|import_module|__import__|getattr|run)\([^\n]{0,80}?\[::-1\]"
        r"|\.split\([\"']{2}\)\.reverse\(\)\.join\([\"']{2}\)",
        hints=("[::-1]", ".reverse()"),
        matches=("os.system('slr'[::-1])", "x.split('').reverse().join('')"),
        look_alikes=("text[::-1]", "list.reverse()"),
    ),
)
