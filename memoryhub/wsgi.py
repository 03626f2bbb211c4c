"""The dashboard as a WSGI application; ``memoryhub serve`` runs it."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
