"""Words around secrets in the languages that memories are written in: labels, and what shows that no value follows.

Labels are regular expressions in small letters, two blanks apart.
"""

from __future__ import annotations

import re


def _labels(text: str) -> tuple[str, ...]:
    return tuple(re.split(r" {2,}|\n\s*", text.strip()))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a password is called. A value after it may be short.
PASSWORD = _labels(r"""
    pass ?word  passwd  pass ?code  pass ?phrase  pwd  pw  pass
    sudo(?=(?: (?:on|for|at|auf|en|на)(?: [^\s:]+){1,3})?\s*[:：=])
    密码  密碼  口令  暗号
    contrase[nñ]a  palabra de paso  clave  senha  palavra[- ]passe
    парол(?:ь|я)  mots? de passe  mdp  pass ?wort  kennwort  zugangswort
    wachtwoord  l[öo]senord  passord  adgangskode  salasana  has[łl]o  parola  şifre  κωδικός
    mật khẩu  mat khau  kata sandi  sandi  パスワード  비밀번호  סיסמה  كلمة المرور  رمز عبور
""")

# Short numbers that open something.
NUMBER = _labels(r"""
    pin(?:[ -]?(?:code|number))?  code pin  cvv2?  zahlencode  код
    (?:alarm|door|gate|lock|safe|entry|access|keypad|bike|garage|intercom) ?code
    锁屏密码  验证码
""")

# What a key is called. The value after it must look like one.
KEY = _labels(r"""
    api[ _-]?keys?  x[ _-]api[ _-]key  access[ _-]?keys?  secret[ _-]?(?:access[ _-]?)?keys?  key  keys
    app[ _-]?secret  client[ _-]?secret  secret  webhook[ _-]?(?:secret|key)
    (?:encryption|signing|network|master|private|session|licen[cs]e|product|activation)[ _-]?keys?
    (?:recovery|subscription|account|auth|service)[ _-]?keys?
    (?:access|auth|refresh|bot|api|bearer|session|deploy)[ _-]?token  token  bearer  sessdata
    cookie  session[ _-]?cookie
    (?:2fa|totp|mfa|otp)[ _-]?(?:secret|seed|key)?  (?:recovery|backup|scratch)[ _-]?codes?
    (?:seed|recovery|mnemonic|secret)[ _-]?phrase  mnemonic  助记词
    密钥  密鑰  秘钥  密匙  令牌  访问令牌  凭证  授权码  私钥
    clave (?:de )?(?:la )?api  clave secreta  llave  secreto  chave(?: d[aeo])?(?: api)?  chave secreta  segredo
    ключ(?:а|и)?(?: api)?  api-ключ  токен(?:а)?  секрет
    cl[ée]s? (?:d['’])?api  cl[ée] secr[èe]te  cl[ée]  jeton  api[- ]?schl[üu]ssel  schl[üu]ssel
    khóa api  kunci api  キー  키
""")

# What a name with its password is called.
LOGIN = _labels(r"""
    log[- ]?in  sign[- ]?in  credentials?  creds  account  user ?/ ?pass(?:word)?  user:pass  basic auth  ssh
    wi-?fi  wlan  ssid
    登录  登陆  账号密码  帐号密码  账号  帐号  账户
    usuario  acceso  usu[áa]rio  acesso  логин  вход  доступ  identifiants?  compte  connexion
    zugang(?:sdaten)?  anmeldung  logg? ?inn
""")

# Labels that also mean other things: what stands before them decides.
LOOSE_KEYS = _words("""
    key keys token secret cookie 密钥 密鑰 秘钥 令牌 凭证 llave chave ключ ключа ключи токен токена clé cle clés jeton
    schlüssel キー 키
""")

# Right after a label: the sentence speaks about the thing, and gives no value.
ABOUT = _words("""
    manager managers policy policies login logins auth authentication hash hashes hashing hashed field fields reset
    rotation rotations length prompt prompts protected protection less file files store stores storage vault hint hints
    rule rules generator page form input column name names id ids variable variables var env path location limit limits
    budget budgets count counts usage cost costs window price prices must should may can needs need required
    change changed changes unchanged expires expire expired expiry rotated rotates lives live sits stands read reads
    comes kept stored saved never forgotten lost sharing entry entries point points fingerprint passes address contract
    holders supply mint ca ticker symbol ask see unknown none disabled enabled off missing not in from at via under
    agent card format template pattern syntax shape prefix suffix type types combination combo shortcut binding bindings
    策略 管理器 在 见 存 放 从 找 变量 文件 地址 合约 长度 规则 登录 过期 轮换
    está fica se guarda guardada guardado primaria primarias foránea foráneas compuesta pública primária estrangeira
    no не хранится лежит находится steht liegt im siehe dans primaire étrangère publique perguntar voir
""")

# Before "token" or "key": one of a document, a model or a table is meant, or a public thing.
NOT_SECRET_BEFORE = _words("""
    doc docs document wiki sheet sheets spreadsheet base bitable folder file board page table node space obj object
    block view record app slide drive max min prompt input output completion context stop pad eos bos total cached
    reasoning thinking next contract erc20 governance primary foreign partition sort cache composite public pub host hot
    short project jira map dictionary json idempotency issue index unique group collection answer legend shift arrow
    enter escape function site measurement publishable the each any every one per about k8s kubernetes docker github
    文档 表格 多维表格 文件夹 文件 知识库 画板 节点 云文档 电子表格 幻灯片 空间 合约 公 主 外 快捷 热 关
    documento planilha página carpeta dossier öffentlicher öffentliche публичный открытый
""")

PLACEHOLDERS = _words("""
    your yours example placeholder redacted masked hidden dummy sample insert replaceme replace fixme todo tbd none null
    undefined unset empty removed mykey yourkey yourtoken yourpassword 脱敏 隐藏 你的 您的 ваш
""")

ALGORITHMS = _words("""
    sha1 sha256 sha384 sha512 md5 base64 base32 utf8 utf-8 argon2 argon2id argon2i bcrypt scrypt pbkdf2 ed25519 rsa2048
    rsa4096 aes128 aes256 aes-256 oauth2 oauth1 oauth2.0 hs256 rs256 es256 x509 pkcs8 pkcs12 http2 https ipv4 ipv6 u2f
    fido2 wpa2 wpa3 web3 ps256 k8s s3 ec2 totp mfa 2fa jwt
""")

KEEPERS = _words("""
    1password 1passwd lastpass keepass keepassx keepassxc keepass2 bitwarden vaultwarden dashlane icloud keychain authy
    gopass gnome-keyring kwallet direnv dotenv sops age gpg yubikey passbolt proton-pass protonpass credstash
""")

# Passwords that everybody knows: set up by default, or the first that come to mind.
COMMON_PASSWORDS = _words("""
    admin admin123 administrator password passw0rd password1 password123 p@ssw0rd root toor changeme letmein welcome
    welcome1 qwerty qwerty123 123456 12345678 123456789 12345 1234 111111 000000 guest test test123 demo default
    raspberry postgres mysql minioadmin rabbitmq elastic grafana ubuntu vagrant user nas oracle tomcat s3cret iloveyou
    pi hunter2
""")

# Of these, the ones that are hardly ever a word of the sentence.
TELLING_PASSWORDS = _words("changeme letmein toor minioadmin qwerty passw0rd p@ssw0rd admin123 password123")

DEFAULT_USERS = _words("""
    admin administrator root toor guest test tester demo user pi ubuntu debian vagrant postgres mysql sa oracle elastic
    minioadmin rabbitmq grafana tomcat nas ftp deploy git sysadmin superuser support operator default app service
""")
