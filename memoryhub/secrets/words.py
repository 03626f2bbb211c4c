"""Words around secrets in the languages that memories are written in: labels, and what shows that no value follows."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a password is called. A value after it may be short.
PASSWORD = (
    r"pass ?word", r"pass ?wort", r"passwd", r"pass ?code", r"pass ?phrase", r"pwd", r"pw", r"pass",
    r"sudo(?=\s*[:：=])",
    "密码", "密碼", "口令", r"contrase[nñ]a", r"palabra de paso", r"clave", r"senha", r"palavra[- ]passe",
    "пароль", "пароля", r"mots? de passe", r"mdp", r"kennwort", r"zugangswort", r"wachtwoord", r"l[öo]senord",
    r"has[łl]o", r"mật khẩu", r"mat khau", r"kata sandi", r"sandi", "パスワード", "비밀번호", r"şifre", r"parola",
    r"κωδικός", r"סיסמה", r"سيسما", r"كلمة المرور", r"رمز عبور", r"salasana", r"adgangskode",
    r"passord", "пароля",
)  # fmt: skip

# Short numbers that open something.
NUMBER = (
    r"pin(?:[ -]?(?:code|number))?", r"(?:alarm|door|gate|lock|safe|entry) ?code", r"cvv2?", "锁屏密码",
    "验证码", "код",
    r"code pin", r"zahlencode",
)  # fmt: skip

# What a key is called. The value after it must look like one.
KEY = (
    r"api[ _-]?keys?", r"apikey", r"access[ _-]?keys?", r"secret[ _-]?(?:access[ _-]?)?keys?",
    r"app[ _-]?secret",
    r"client[ _-]?secret", r"secret", r"encryption[ _-]?key", r"signing[ _-]?key", r"network[ _-]?key",
    r"master[ _-]?key",
    r"private[ _-]?key",
    r"(?:access|auth|refresh|bot|api|bearer|session|personal access|deploy)[ _-]?token",
    r"(?:licen[cs]e|product|serial|activation|recovery|subscription|account|auth|service)[ _-]?keys?",
    r"webhook[ _-]?(?:secret|key)", r"token", r"bearer", r"(?:2fa|totp|mfa|otp)[ _-]?(?:secret|seed|key)?",
    r"(?:recovery|backup)[ _-]?codes?", r"x[ _-]api[ _-]key", r"session[ _-]?(?:cookie|key)", r"cookie",
    r"sessdata",
    "密钥", "密鑰", "秘钥", "密匙", "令牌", "访问令牌", "凭证", "授权码", "私钥",
    r"clave (?:de )?(?:la )?api", r"clave secreta", r"llave", r"secreto", r"chave(?: d[aeo])?(?: api)?",
    r"chave secreta",
    r"segredo", r"ключ(?:а|и)?(?: api)?", "токен(?:а)?", "секрет", r"cl[ée]s? (?:d['’])?api",
    r"cl[ée] secr[èe]te", r"cl[ée]",
    r"jeton", r"api[- ]?schl[üu]ssel", r"schl[üu]ssel", r"khóa api", r"kunci api", "キー", "키", r"key",
)  # fmt: skip

# What a name with its password is called.
LOGIN = (
    r"log[- ]?in", r"credentials?", r"creds", r"account", r"user ?/ ?pass(?:word)?", r"user:pass",
    r"ssh", r"sign[- ]?in",
    "登录", "登陆", "账号密码", "帐号密码", "账号", "帐号", "账户", r"usuario", r"acceso", r"usu[áa]rio", r"acesso",
    "логин", "вход",
    "доступ", r"wi-?fi", r"wlan", r"ssid", r"identifiants?", r"compte", r"connexion",
    r"zugang(?:sdaten)?", r"anmeldung", r"basic auth", r"logg? ?inn",
)  # fmt: skip

# After a label: the sentence speaks about the thing, and gives no value.
ABOUT = _words(
    """
    manager policy policies login logins auth authentication hash hashes hashing hashed field fields reset
    rotation
    rotations length prompt prompts protected protection less file files store stores storage vault hint hints
    rule rules
    generator page form input column name names id ids variable variables var env path location limit limits
    budget
    budgets count counts usage cost costs window price prices must should may can needs need required change
    changed
    changes expires expire expired expiry rotated rotates lives live sits stands read reads comes kept stored
    saved
    never forgotten lost sharing entry entries point points fingerprint passes address contract holders supply
    ask see unknown none disabled enabled off missing not in from at via under policy: agent card
    策略 管理器 在 见 存 放 从 找 变量 文件 地址 合约 长度 规则 登录 过期 轮换
    está esta fica se guarda guardada en no не хранится лежит находится steht liegt im ist_im est dans
    """
)

# Before "token" or "key": a document, a model or a table is meant, or a public thing.
NOT_SECRET_BEFORE = _words(
    """
    doc docs document wiki sheet sheets spreadsheet base bitable folder file board page table node space obj
    object block
    view record app slide drive max min prompt input output completion context stop pad eos bos total cached
    reasoning thinking next contract erc20 governance primary foreign partition sort cache composite public pub
    host hot
    short project jira map dictionary json idempotency issue index unique group answer legend shift arrow enter
    escape function the each any every one per about 文档 表格 多维表格 文件夹 文件 知识库 画板 公 主 外 快捷 热 关
    documento planilha página carpeta dossier öffentlicher öffentliche публичный открытый
    """
)

PLACEHOLDER_WORDS = _words(
    """
    your yours example placeholder redacted masked hidden dummy sample insert replaceme replace changemenow
    fixme todo
    tbd none null undefined unset empty removed secret_here mykey yourkey yourtoken yourpassword
    supersecretpassword
    脱敏 隐藏 你的 您的 ваш тут
    """
)

ALGORITHMS = _words(
    """
    sha1 sha256 sha384 sha512 md5 base64 base32 utf8 utf-8 argon2 argon2id argon2i bcrypt scrypt pbkdf2 ed25519
    rsa2048
    rsa4096 aes128 aes256 aes-256 oauth2 oauth1 oauth2.0 hs256 rs256 es256 x509 pkcs8 pkcs12 http2 https ipv4
    ipv6 u2f fido2
    wpa2 wpa3 web3 ps256 k8s s3 ec2 totp mfa 2fa jwt
    """
)

PRODUCTS = _words(
    """
    1password 1passwd lastpass keepass keepassx keepassxc keepass2 bitwarden vaultwarden dashlane icloud
    keychain authy
    gopass gnome-keyring kwallet direnv dotenv sops age gpg yubikey passbolt proton-pass protonpass credstash
    """
)

# Passwords that everybody knows: set up by default, or the first that come to mind.
COMMON_PASSWORDS = _words(
    """
    admin admin123 administrator password passw0rd password1 password123 p@ssw0rd root toor changeme letmein
    welcome
    welcome1 qwerty qwerty123 123456 12345678 123456789 12345 1234 111111 000000 guest test test123 demo default
    raspberry
    postgres mysql minioadmin rabbitmq elastic grafana ubuntu vagrant user nas oracle tomcat s3cret iloveyou
    hunter2 pi
    """
)

DEFAULT_USERS = _words(
    """
    admin administrator root toor guest test tester demo user pi ubuntu debian vagrant postgres mysql sa oracle
    elastic
    minioadmin rabbitmq grafana tomcat nas ftp deploy git sysadmin superuser support operator default app
    service
    """
)
