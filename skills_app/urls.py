"""Addresses of the skill pages. A skill's key is looked up in the listing, never made into a path."""

from django.urls import path

from memoryhub.web.lazy import view

app_name = "skills"
urlpatterns = [
    path("skills/", view("skills_app.views.lists.skill_list"), name="list"),
    path("skills/archived/", view("skills_app.views.lists.archived_list"), name="archived"),
    path("skills/rules/", view("skills_app.views.rules.rule_list"), name="rules"),
    path("skills/settings/", view("skills_app.views.overview.verdict_choose"), name="choose"),
    path("skills/<str:key>/", view("skills_app.views.detail.skill_show"), name="show"),
    path("skills/<str:key>/file/", view("skills_app.views.source.file_show"), name="file"),
    path("skills/<str:key>/dismiss/", view("skills_app.views.dismissing.finding_dismiss"), name="dismiss"),
    path(
        "skills/<str:key>/dismissals/<int:number>/withdraw/",
        view("skills_app.views.dismissing.dismissal_withdraw"),
        name="withdraw",
    ),
    path("skills/<str:key>/switch/<str:action>/", view("skills_app.views.switches.skill_switch"), name="switch"),
]
