"""Every address of the dashboard; the apps name theirs in urls modules of their own."""

from django.conf import settings as django_settings
from django.urls import include, path

from memoryhub.views import door, overview
from memoryhub.web.lazy import view

memory_patterns = [
    path("", view("memoryhub.views.memory.files"), name="files"),
    path("pulse/", view("memoryhub.views.memory.pulse"), name="pulse"),
    path("undo/", view("memoryhub.views.undo.undo"), name="undo"),
    path("undo/<uuid:operation>/", view("memoryhub.views.undo.undo_operation"), name="undo_operation"),
    path("forget/", view("memoryhub.views.forget.forget"), name="forget"),
    path("<str:target>/add/", view("memoryhub.views.entries.entry_add"), name="entry_add"),
    path("<str:target>/cancel/", view("memoryhub.views.entries.cancel"), name="cancel"),
    path("<str:target>/check/", view("memoryhub.views.entries.entry_check"), name="entry_check"),
    path("<str:target>/merge/", view("memoryhub.views.entries.merge"), name="merge"),
    path("<str:target>/raw/", view("memoryhub.views.memory.raw"), name="raw"),
    path("<str:target>/prompt/", view("memoryhub.views.prompt.prompt"), name="prompt"),
    path("<str:target>/link/", view("memoryhub.views.memory.link_consent"), name="link_consent"),
    path("<str:target>/repair/<str:code>/", view("memoryhub.views.memory.file_repair"), name="repair"),
    path("<str:target>/entries/<str:entry_id>/", view("memoryhub.views.entries.entry_show"), name="entry_show"),
    path("<str:target>/entries/<str:entry_id>/edit/", view("memoryhub.views.entries.entry_edit"), name="entry_edit"),
    path(
        "<str:target>/entries/<str:entry_id>/remove/", view("memoryhub.views.entries.entry_remove"), name="entry_remove"
    ),
    path("<str:target>/entries/<str:entry_id>/move/", view("memoryhub.views.entries.entry_move"), name="entry_move"),
    path(
        "<str:target>/entries/<str:entry_id>/place/<str:way>/",
        view("memoryhub.views.entries.entry_place"),
        name="entry_place",
    ),
    path("<str:target>/history/", view("memoryhub.views.history.history"), name="history"),
    path("<str:target>/history/diff/", view("memoryhub.views.history.history_diff"), name="history_diff"),
    path("<str:target>/history/<int:number>/", view("memoryhub.views.revisions.revision"), name="revision"),
    path(
        "<str:target>/history/<int:number>/restore/",
        view("memoryhub.views.revisions.revision_restore"),
        name="revision_restore",
    ),
    path(
        "<str:target>/history/<int:number>/entry/", view("memoryhub.views.revisions.text_restore"), name="text_restore"
    ),
    path("<str:target>/backups/", view("memoryhub.views.backups.backups"), name="backups"),
    path("<str:target>/backups/<str:name>/", view("memoryhub.views.backups.backup"), name="backup"),
    path(
        "<str:target>/backups/<str:name>/restore/",
        view("memoryhub.views.backups.backup_restore"),
        name="backup_restore",
    ),
]

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("memory/", include((memory_patterns, "memory"))),
    path("", include("sessions_app.urls")),
    path("", include("skills_app.urls")),
    path("settings/", view("memoryhub.views.settings.settings"), name="settings"),
    path("settings/keys/", view("memoryhub.views.settings.keys"), name="keys"),
    path("open/", door.token_page, name="open"),
    path("open/password/", door.password, name="open_password"),
    path("open/<str:token>/", door.open_link, name="open_link"),
]

if django_settings.DEBUG:
    from memoryhub.views.patterns import patterns

    urlpatterns.append(path("patterns/", patterns, name="patterns"))
