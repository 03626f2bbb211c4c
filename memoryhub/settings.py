"""Settings of the one program there is: a private dashboard on the person's own machine.

Reads the environment through memoryhub.env; writes nothing. What one run decides (port, home, extra hosts) is not a
setting but a memoryhub.web.instance.Instance.
"""

import os
from pathlib import Path

from django.utils.functional import SimpleLazyObject

from memoryhub import data_folder, env

PACKAGE = Path(__file__).resolve().parent
# In a checkout pages and styles lie beside the package; in a wheel, inside it.
RESOURCES = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent

DEBUG = env.debug(os.environ)
DATA_DIR = env.data_dir(os.environ)
SECRET_KEY = SimpleLazyObject(lambda: data_folder.secret_key(DATA_DIR))  # made when something is first signed

# memoryhub.web.middleware.HostMiddleware refuses every name that is not this machine or was not allowed by an option.
# It stands before everything else and knows 127.0.0.0/8 and --allow-host, which a list cannot say.
ALLOWED_HOSTS = ["*"]

INSTALLED_APPS = [
    "memoryhub",
    "sessions_app",
    "skills_app",
    "django_htmx",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "memoryhub.web.middleware.HostMiddleware",  # first, or WhiteNoise answers a foreign Host
    "memoryhub.web.middleware.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memoryhub.web.middleware.TimeZoneMiddleware",
    "memoryhub.web.middleware.ErrorPagesMiddleware",
    "memoryhub.web.middleware.CsrfMiddleware",  # around the door, whose page holds a form too
    "memoryhub.web.middleware.DoorMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "memoryhub.web.middleware.ProfileMiddleware",
]

ROOT_URLCONF = "memoryhub.urls"
WSGI_APPLICATION = "memoryhub.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.csrf",
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "memoryhub.context_processors.hub",
            ],
            "libraries": {"texts": "memoryhub.web.templatetags.texts", "ui": "memoryhub.web.templatetags.ui"},
            "builtins": ["memoryhub.web.templatetags.guard"],
        },
    }
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / data_folder.DATABASE,
        "OPTIONS": {
            "timeout": 10,
            "transaction_mode": "IMMEDIATE",  # two writers queue up instead of failing half-way
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON",
        },
        "CONN_MAX_AGE": None,
    }
}

MESSAGE_STORAGE = "memoryhub.services.notices.Notices"
CSRF_COOKIE_NAME = "memoryhub_csrf"  # serve makes it one of its own per dashboard: cookies do not know ports
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "memoryhub.views.door.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024  # the largest memory file we read is 8 MiB

STATIC_URL = "/static/"
STATICFILES_DIRS = [RESOURCES / "static"]
WHITENOISE_USE_FINDERS = True  # nothing is collected or built
WHITENOISE_ALLOW_ALL_ORIGINS = False

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
USE_THOUSAND_SEPARATOR = False
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_tokens": {"()": "memoryhub.web.logs.NoTokens"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {message}", "style": "{"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no_tokens"]},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        "django.request": {"level": "ERROR"},  # a refused request is an answer, not an event
        "django.security": {"level": "ERROR"},
        "waitress.queue": {"level": "ERROR"},  # a request that waits for a thread is no event
        "memoryhub.access": {"level": "INFO"},  # only filled by serve -v 2
    },
}
