"""Addresses of the skill pages. A skill's key is looked up in the listing, never made into a path."""

from django.urls import path

from skills_app.views import detail, dismissing, lists, overview, rules, source, switches

app_name = "skills"
urlpatterns = [
    path("skills/", lists.skill_list, name="list"),
    path("skills/archived/", lists.archived_list, name="archived"),
    path("skills/rules/", rules.rule_list, name="rules"),
    path("skills/settings/", overview.verdict_choose, name="choose"),
    path("skills/<str:key>/", detail.skill_show, name="show"),
    path("skills/<str:key>/file/", source.file_show, name="file"),
    path("skills/<str:key>/dismiss/", dismissing.finding_dismiss, name="dismiss"),
    path("skills/<str:key>/dismissals/<int:number>/withdraw/", dismissing.dismissal_withdraw, name="withdraw"),
    path("skills/<str:key>/switch/<str:action>/", switches.skill_switch, name="switch"),
]
