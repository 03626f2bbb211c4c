"""Scripts of conversations in English: the demo person's programs, servers and numbers."""

TEXT = r"""
# staging
titles: Staging deploy of {service} hangs | {service}: health check times out | Ship {service} {version} to staging
sources: cli | cli | telegram
cwd: ~/src/{service}
service: ledger | ledger | kiosk | papaya
version: 2.3.0 | 2.4.1 | 2.5.0-rc1 | 1.9.7 | 3.0.0
secs: 31..58
port: 8420
> The staging deploy of {service} hangs at "waiting for health check". Can you look?
| {service} {version} does not come up on staging, the health check times out.
| Ship {version} of {service} to staging and tell me when it answers.
~ The health check waits for the container to answer on the staging port. I should look at the log before I guess.
! terminal command=cd ~/src/{service} && make ship ENV=staging 2>&1 | tail -5
: building {service}:{version}
: pushing to registry.mole.lan
: restarting {service}-staging
: waiting for health check on :{port} ... {secs} s
: ok
< It does come up, only slowly: the health check answered after {secs} seconds. Migrations run on start, so a restart \
needs about 40 seconds before `/healthz` says ok. The script gives up after 30.
--
> Then raise the timeout, but do not touch production.
! read_file path=deploy/staging.env
: 1|APP_ENV=staging
: 2|PORT={port}
: 3|HEALTH_TIMEOUT=30
! patch path=deploy/staging.env
+ old_string=HEALTH_TIMEOUT=30
+ new_string=HEALTH_TIMEOUT=90
: {"success": true, "replacements": 1}
< Done: `HEALTH_TIMEOUT=90` in `deploy/staging.env` only. Production keeps 30.
--
> Is the new version really running there?
! terminal command=curl -s http://mole.lan:{port}/healthz
: {"status": "ok", "version": "{version}", "migrations": "up to date"}
< Yes, `{version}`, and its migrations are up to date.
--
> And if it does not come up tonight?
< Then roll back with `make ship ENV=staging TAG=previous`; that takes the last image and skips the build. The \
database stays as it is, so only do it if no migration ran.

# migration
titles: Migration conflict in {service} | Two heads after the merge of {branch} | {service}: cannot apply migration {n}
sources: cli
cwd: ~/src/{service}
service: ledger | ledger | kiosk
branch: vat-rates | invoice-lines | opening-hours | stock-count
n: 118..164
> After merging {branch} the migrations of {service} complain about two heads. What do I do?
| CI says {service} has two migrations with number {n}. Mine is {branch}.
| I merged {branch} and now nothing migrates any more in {service}.
! terminal command=ls ledger/db/migrations | tail -4
: 0{n}_{branch}.sql
: 0{n}_customer_index.sql
:x Conflict: two migrations carry the number {n}
< Both branches added number {n}. Neither is applied anywhere yet, so renumber the younger one: the rule here is one \
change per file and never to edit an applied one.
--
> Renumber mine then.
! terminal command=git mv ledger/db/migrations/0{n}_{branch}.sql ledger/db/migrations/0{n}b_{branch}.sql && make check
: 214 passed, 2 skipped in 38.20s
< Renamed and `make check` is green: 214 passed, 2 skipped.
--
> Could the check find that before a merge?
~ A small test that lists the numbers and looks for doubles is enough; no need for a hook.
! patch path=tests/test_migrations.py
+ old_string=def test_names():
+ new_string=def test_numbers_are_unique():\n    ...\n\n\ndef test_names():
: {"success": true, "replacements": 1}
< Added `test_numbers_are_unique` beside the name test. It fails on this very conflict when I undo the rename.

# report
titles: Weekly report, week {week} | Hours and invoices of week {week} | Report for Tom, week {week}
sources: cli | telegram
cwd: ~/src/ledger
week: 1..52
hours: 21..39
sum: 1840..4420
> Weekly report for week {week} please.
| It is Friday: make the report for week {week}.
| How many hours do I have in week {week}? Make the report if it looks complete.
! skill_view name=weekly-report
: {"success": true, "name": "weekly-report", "content": "1. export hours 2. run report 3. check totals 4. send"}
! terminal command=python scripts/report.py --week {week}
: exported {hours} h, 3 customers, total EUR {sum}
< Week {week}: {hours} hours for three customers, EUR {sum} in total. The draft is in `out/week-{week}.pdf`; the \
totals agree with the invoices. Shall I send it to Tom?
--
> Wait, the harbour job is missing, I worked there on Tuesday.
! terminal command=grep -n harbour data/hours-{week}.csv
:x grep: data/hours-{week}.csv: No such file or directory
! terminal command=ls data | grep {week}
: hours-{week}-draft.csv
< The Tuesday hours were still in the draft file, so the export skipped them. I can merge the draft first: that adds \
four hours.
--
> Yes. And send it when the totals match.
! terminal command=python scripts/report.py --week {week} --include-draft --check
: check ok: hours match, invoices match
< Merged, checked and sent to Tom with the PDF attached. For next time: the report must be out on Friday before 16:00.

# tidecsv
titles: tidewatch export will not load | read_csv fails on the gauge file | Water levels of {place}
sources: cli
cwd: ~/src/tidewatch
place: Hoek van Holland | Dordrecht | Vlaardingen | Europoort
rows: 8640..17280
peak: 201..288
> pandas read_csv fails on the tidewatch export of {place}: "Error tokenizing data".
| Load the export of {place} and tell me the highest level.
| The gauge file of {place} has a broken header again, pandas chokes on it.
! terminal command=head -3 export.csv
: station;time;level_cm
: -;UTC;NAP
: {place};2026-01-03T00:00:00Z;112
< The second line is another header: it carries the units. `pandas.read_csv(path, sep=";", skiprows=[1])` reads it.
--
> Works, {rows} rows. What was the highest level?
! terminal command=python -c "import tide; print(tide.peak('export.csv'))"
: {peak} cm at 2026-01-05T03:40:00Z
< {peak} cm above NAP, in the night of the storm. The timestamps are UTC, so on the local clock it was an hour later.
--
> Put that line about skiprows where I find it again.
< I would keep it as a comment in `tide/load.py`, beside the call. It is the kind of thing one trips over once a year.

# disk
titles: mole is out of disk space | Clean up Docker on mole | Disk {percent} % full
sources: telegram | cli | discord
percent: 91..99
gb: 34..88
> mole says the disk is {percent} % full. What eats it?
| Disk alert from mole: {percent} % used.
| Why is mole so full again? {percent} %, and I only deployed twice this week.
! terminal command=ssh mole 'df -h / && docker system df'
: /dev/nvme0n1p2  234G  {percent}%
: Images 41 ({gb} GB reclaimable)  Volumes 12 (3.1 GB)
< Old images: {gb} GB of them can go. The volumes hold data, I would leave those alone.
--
> Remove the images, keep whatever runs.
! terminal command=ssh mole 'docker image prune -a --filter until=720h --force'
: Total reclaimed space: {gb} GB
< {gb} GB are free again. Nothing that runs was touched; images younger than 30 days stayed too.
--
> Can this happen by itself?
< A weekly timer does it. I would put `docker-prune.timer` on mole for Sunday 04:00, so that it never runs during a \
deploy.

# backup
titles: Nightly backup of mole failed | rsync to the NAS: exit {code} | Restore test of the backup
sources: cron | cli | telegram
code: 12 | 23 | 255
gb: 118..171
> Last night's backup of mole to the NAS ended with exit code {code}.
| The backup mail says exit {code}. Is anything lost?
| backup.service failed tonight, code {code}. Look into it, please.
! terminal command=ssh mole 'journalctl -u backup.service -n 4 --no-pager'
: rsync: connection unexpectedly closed
:x rsync error: some files could not be transferred (code {code})
< The NAS closed the connection at 02:14. That is when it checks its own disks on the first of the month.
--
> So move the backup.
! terminal command=ssh mole 'systemctl edit backup.timer --stdin'
: OnCalendar=*-*-* 04:30:00
< The backup now starts at 04:30. I ran it once by hand: {gb} GB compared, 1.2 GB sent, no error.
--
> Did we ever try a restore?
~ No restore is mentioned anywhere in this conversation. I should say so instead of assuming.
< Not that I can see. I can restore one folder to `/tmp/restore-test` and compare checksums; that takes ten minutes.

# grafana
titles: Alert at {hour}:00 every night | Grafana says no data | Panel for the pump on mole
sources: discord | cli
hour: 2 | 3 | 4
> Grafana wakes me at {hour} every night with "no data" for the pump sensor.
| The pump alert again, at {hour} in the night. What is going on?
| "pump no data" at {hour}:00, for the fourth time. Make it stop without hiding a real failure.
! terminal command=ssh mole 'sqlite3 sensors.db "select count(*) from pump where hour={hour}"'
: 0
< The sensor restarts at {hour} and is silent for six minutes; the alert fires after five. Make it ten minutes, or \
tell the alert that a gap is fine.
--
> Ten minutes. Where is that again?
< In Grafana on mole, port 3000: Alerting, rule "pump no data", "Pending period". I changed it to 10m.
--
> What was the login there?
< User `yue`; the password is in your notes. I will not repeat it here.

# flaky
titles: Flaky test {test} | Why does {test} fail on Mondays | CI red again: {test}
sources: cli
cwd: ~/src/{service}
service: ledger | tidewatch | kiosk
test: test_due_dates | test_rounding | test_login_expiry | test_export_order
runs: 20..60
> {test} fails about once in {runs} runs. Find out why.
| CI was red this morning because of {test}, green on the second run. I do not like that.
| Run {test} {runs} times. I think it is flaky.
! terminal command=pytest tests -k {test} --count {runs} -q
:x 1 failed, {runs} passed
~ Once in many runs: either time or order. The name suggests a date.
! read_file path=tests/{test}.py
: 1|from datetime import date
: 2|def {test}():
: 3|    assert due(date.today()) > date.today()
< It asks for today twice. When midnight falls in between, or the month ends, the two differ. Take the day once and \
pass it in.
--
> Fix it without a new dependency.
! patch path=tests/{test}.py
+ old_string=due(date.today()) > date.today()
+ new_string=due(TODAY) > TODAY
: {"success": true, "replacements": 1}
! terminal command=pytest tests -k {test} --count 200 -q
: 200 passed in 9.41s
< Fixed with a constant day. 200 runs, no failure.

# slowquery
titles: Invoice list takes {ms} ms | Slow page: open invoices | {table} needs an index
sources: cli
cwd: ~/src/ledger
table: invoice_line | payment | customer
ms: 1900..6400
fast: 14..48
> The list of open invoices in ledger takes {ms} ms. It used to be quick.
| Tom says the invoice page is slow. It takes {ms} ms here too.
| open_invoices needs {ms} ms since the import. Which index is missing?
! terminal command=psql ledger -c "explain analyze select * from open_invoices limit 50"
: Seq Scan on {table}  (actual time=0.02..{ms}.1 rows=412000)
< A sequential scan over `{table}`: the view joins on a column without an index.
--
> Add it, but so that nobody is locked out meanwhile.
! terminal command=psql ledger -c "create index concurrently on {table} (invoice_id)"
: CREATE INDEX
< Built with `concurrently`. The same query takes {fast} ms now.
--
> Make a migration of it.
< It is `ledger/db/migrations/0165_{table}_index.sql`. One thing: `concurrently` cannot run inside a transaction, so \
the file opens with `-- no-transaction`, which our runner knows.

# packaging
titles: Package data missing in the wheel | {package}: templates not found after install | Release {package}
sources: cli
cwd: ~/src/{package}
package: tidewatch | ledger-cli | kiosk-print
> After `pip install {package}` the templates are not there.
| The wheel of {package} has no templates in it.
| {package} works from the checkout but not when installed: TemplateNotFound.
! terminal command=python -m build --wheel && unzip -l dist/*.whl | grep -c html
: 0
< The wheel holds no HTML at all: `package-data` is missing. In pyproject.toml it needs \
`[tool.setuptools.package-data]` with `{package} = ["templates/**"]`.
--
> Add it and check again.
! patch path=pyproject.toml
+ old_string=[project.scripts]
+ new_string=[tool.setuptools.package-data]\n"*" = ["templates/**"]\n\n[project.scripts]
: {"success": true, "replacements": 1}
! terminal command=python -m build --wheel && unzip -l dist/*.whl | grep -c html
: 23
< 23 templates are in the wheel now.
"""
