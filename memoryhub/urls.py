"""Every address of the dashboard; the apps name theirs in urls modules of their own."""

from django.conf import settings as django_settings
from django.urls import include, path

from memoryhub.views import backups, door, entries, forget, history, memory, overview, prompt, revisions, settings, undo

memory_patterns = [
    path("", memory.files, name="files"),
    path("pulse/", memory.pulse, name="pulse"),
    path("undo/", undo.undo, name="undo"),
    path("undo/<uuid:operation>/", undo.undo_operation, name="undo_operation"),
    path("forget/", forget.forget, name="forget"),
    path("<str:target>/add/", entries.entry_add, name="entry_add"),
    path("<str:target>/cancel/", entries.cancel, name="cancel"),
    path("<str:target>/check/", entries.entry_check, name="entry_check"),
    path("<str:target>/merge/", entries.merge, name="merge"),
    path("<str:target>/raw/", memory.raw, name="raw"),
    path("<str:target>/prompt/", prompt.prompt, name="prompt"),
    path("<str:target>/link/", memory.link_consent, name="link_consent"),
    path("<str:target>/repair/<str:code>/", memory.file_repair, name="repair"),
    path("<str:target>/entries/<str:entry_id>/", entries.entry_show, name="entry_show"),
    path("<str:target>/entries/<str:entry_id>/edit/", entries.entry_edit, name="entry_edit"),
    path("<str:target>/entries/<str:entry_id>/remove/", entries.entry_remove, name="entry_remove"),
    path("<str:target>/entries/<str:entry_id>/move/", entries.entry_move, name="entry_move"),
    path("<str:target>/entries/<str:entry_id>/place/<str:way>/", entries.entry_place, name="entry_place"),
    path("<str:target>/history/", history.history, name="history"),
    path("<str:target>/history/diff/", history.history_diff, name="history_diff"),
    path("<str:target>/history/<int:number>/", revisions.revision, name="revision"),
    path("<str:target>/history/<int:number>/restore/", revisions.revision_restore, name="revision_restore"),
    path("<str:target>/history/<int:number>/entry/", revisions.text_restore, name="text_restore"),
    path("<str:target>/backups/", backups.backups, name="backups"),
    path("<str:target>/backups/<str:name>/", backups.backup, name="backup"),
    path("<str:target>/backups/<str:name>/restore/", backups.backup_restore, name="backup_restore"),
]

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("memory/", include((memory_patterns, "memory"))),
    path("", include("sessions_app.urls")),
    path("", include("skills_app.urls")),
    path("settings/", settings.settings, name="settings"),
    path("settings/keys/", settings.keys, name="keys"),
    path("open/", door.token_page, name="open"),
    path("open/password/", door.password, name="open_password"),
    path("open/<str:token>/", door.open_link, name="open_link"),
]

if django_settings.DEBUG:
    from memoryhub.views.patterns import patterns

    urlpatterns.append(path("patterns/", patterns, name="patterns"))
