"""Scripts of conversations in English: everyday questions, and what runs without a person."""

TEXT = r"""
# trip
titles: Train to {city} in {month} | Three days in {city} | Is the night train to {city} worth it?
sources: telegram
city: Copenhagen | Vienna | Lyon | Gdansk | Turin
month: April | May | September | October
price: 79..189
> Find me a way to {city} by train in {month}, not more than one change.
| We want to see {city} in {month}, by train. What is the most pleasant way?
| How long does it take to {city} without flying? Sometime in {month}.
! web_search query=Rotterdam {city} train one change {month}
: 1. Night train via Hamburg, arrives 09:52, from EUR {price}
: 2. Day train via Cologne, 11 h 20
< Two that fit: the night train (from EUR {price}, arrives 09:52) or the day train via Cologne (11 h 20). The night \
train saves a hotel.
--
> Window seat, and remind me what I hate about hostels.
< You told me: no shared bathrooms and nothing above the fourth floor without a lift.
--
> Any good noodle place there?
! web_search query=hand pulled noodles {city}
:x Search is rate limited, the free plan is used up. Try again later.
< The search is rate limited right now, so I cannot check opening hours. From what I know I would look around the \
station first; I can try again tonight.

# dinner
titles: What to cook with {thing} | Dinner for {people} | {thing}, again
sources: telegram | discord
thing: aubergines | leftover rice | a kilo of leeks | too much tofu | mussels
people: two | four | six
> I have {thing} and forty minutes. Dinner for {people}?
| Quick: {thing}, {people} people, no oven.
| I bought {thing} and have no idea. {people} of us, forty minutes.
< Fry garlic and ginger, add the {thing}, a spoon of doubanjiang, a little stock, and let it go for fifteen minutes. \
Rice beside it. If anybody is allergic to peanuts, leave the oil you bought last week in the cupboard.
--
> Mei cannot eat peanuts, right.
< Then rapeseed oil, and check the chili crisp: most brands fry theirs in peanut oil.
--
> It was good. Save the recipe somewhere.
! write_file path=~/notes/recipes/{thing}.md
+ content=garlic, ginger, doubanjiang, stock; 15 minutes; no peanut oil
: {"success": true, "bytes_written": 63}
< Saved as `~/notes/recipes/{thing}.md`.

# letter
titles: Letter to the landlord | Complaint about the {problem} | Reply to the {problem} letter
sources: cli | telegram
problem: heating | lift | damp wall | bicycle shed
days: 9..31
> Write to the landlord: the {problem} has been a problem for {days} days. Polite, short, in Dutch and English.
| The {problem} is still broken after {days} days. Help me write to Mr Verhoef.
| A reminder to the landlord about the {problem}, please. It has been {days} days.
< Here is a draft. "Dear Mr Verhoef, for {days} days the {problem} has not been usable. You were told on the phone \
twice. Please let us know by Friday when it will be repaired." The Dutch version follows below.
  "Geachte heer Verhoef, al {days} dagen is er een probleem met de {problem}. Wij horen graag voor vrijdag wanneer \
het wordt opgelost."
--
> Less sour.
< "Dear Mr Verhoef, a short reminder about the {problem}: it has been {days} days. Could you tell us when somebody \
will come? Then one of us will be at home."

# bike
titles: Squeaking brake | New chain for the {bike} | {bike}: gear slips
sources: discord
bike: Batavus | Gazelle | folding bike
mm: 0.5 | 0.75 | 1.0
> The {bike} skips when I stand on the pedals.
| My {bike} makes a grinding noise and the gear slips.
| Is it the chain? The {bike} jumps over teeth uphill.
< Most likely a worn chain. Measure ten links with a ruler: more than {mm} per cent longer than new and it should go.
--
> {mm} exactly. Only the chain or the cassette too?
< If the chain is at {mm} and the teeth look even, only the chain. Ride it for a week; if it still slips, the cassette.

# books
titles: Notes on "{book}" | Book club: {book} | Who was the narrator in {book}?
sources: telegram | cli
book: The Left Hand of Darkness | Middlemarch | The Periodic Table | Invisible Cities | Pachinko
page: 40..310
> I am on page {page} of "{book}". No spoilers: what should I watch for until the book club on Thursday?
| "{book}", page {page}: I lost track of who is speaking. Without spoilers?
| Prepare me for Thursday: we read "{book}" up to page {page}.
< Watch who is telling you things, and what they leave out. Mark two passages where you trust them less than before; \
that gives the club something to talk about.
--
> Give me three questions for the others.
< 1. Which choice in the first half could not be undone? 2. Where does the setting decide, and not a person? 3. Which \
sentence would you read aloud?

# digest
titles: Morning digest | Morning digest, {day}
sources: cron
day: Monday | Tuesday | Wednesday | Thursday | Friday
mails: 3..24
rain: dry all day | rain from 15:00 | showers | fog until ten
> Morning digest: mail, calendar, weather, servers. Five lines at most.
! terminal command=himalaya list --unread | wc -l
: {mails}
! terminal command=ssh mole 'systemctl --failed --no-legend | wc -l'
: 0
< {mails} unread mails, two from customers. Stand-up at 09:30, Dutch class at 19:00. Weather: {rain}. All services on \
mole are up; the backup ran at 04:30.

# classify
titles: Classify invoice {number}
sources: api_server
number: 20260001..20269999
net: 42..1980
supplier: Bakkerij Stam | Hosting Noord | Papierwinkel Post | Drukkerij Vos
> {"task": "classify", "invoice": "{number}", "supplier": "{supplier}", "net": {net}}
< {"invoice": "{number}", "account": "4410 office", "vat": "21%", "net": {net}, "confidence": 0.93}

# research
titles: Compare {what} | Which {what} for the home server?
sources: cli | telegram
what: reverse proxies | backup tools | password managers | note apps
> Compare {what} for a home server with one user. A table, then one recommendation.
| Which {what} would you take for mole, and why? Short.
| I have to choose between three {what}. Make the differences visible.
~ The person wants a short decision. I could hand the reading of three web sites to a sub-agent.
! delegate_task goal=Read about {what} and return five facts each with a source
: {"results": [{"status": "completed", "summary": "Three candidates, five facts each."}]}
< | name | memory | updates | note |
  |---|---|---|---|
  | first | 40 MB | monthly | one file to configure |
  | second | 180 MB | weekly | web interface |
  | third | 90 MB | rare | fewer features, very stable |
  I would take the first: one file, and it fits the 16 GB of mole without a thought.
--
> What speaks against it?
< No web interface, and one maintainer. If that ends, the file can be moved to the second in an afternoon.

# changelog
titles: Changelog for {service} {version} | Release notes {version}
sources: cli
cwd: ~/src/{service}
service: ledger | tidewatch | kiosk
version: 2.3.0 | 2.4.1 | 2.5.0 | 1.9.7
commits: 11..48
> Write the changelog for {service} {version} from the commits since the last tag.
| {service} {version} goes out today, I need the changelog.
| Draft the release notes of {version} for people who use {service}, not for programmers.
! terminal command=git log --oneline $(git describe --tags --abbrev=0)..HEAD | wc -l
: {commits}
! skill_view name=changelog
: {"success": true, "name": "changelog", "content": "Group by what a reader notices. One line each."}
< {commits} commits make seven lines, grouped as the `changelog` skill says: new, changed, fixed. Two commits that a \
reader would never notice are left out.
--
> Good. Mention the timezone fix first.
< Moved up: "Water levels are shown in local time again after the clock change."
--
> The skill should say that fixes people reported come first.
! skill_manage action=patch
+ name=changelog
+ old_string=One line each.
+ new_string=One line each. What people reported comes first.
: {"success": true, "message": "Patched SKILL.md in skill 'changelog' (1 replacement)."}
< Added to the skill, so the next changelog follows it.

# printer
titles: Kiosk printer prints {what} | Receipts of {shop} | {shop}: printer offline
sources: telegram | discord | cli
shop: papaya | the bakery | the flower shop
what: blank receipts | half lines | twice
mm: 58
> The receipt printer at {shop} prints {what} since this morning.
| {shop} called: the printer prints {what}. Can you find out why before I cycle there?
! terminal command=ssh kiosk 'journalctl -u till -n 3 --no-pager'
: till: driver epson80 loaded
: till: paper width mismatch
< The 80 mm driver was loaded after the update; this printer needs the {mm} mm one. I can switch it from here.
--
> Do it, they have customers.
! terminal command=ssh kiosk 'systemctl set-environment DRIVER=epson{mm} && systemctl restart till'
: ok
< Switched to `epson{mm}` and restarted the till. It printed a test line.
--
> Make sure the next update keeps it.
< The update overwrites `/etc/till.conf`. I moved the setting to `/etc/till.d/driver.conf`, which it leaves alone.

# invoicemail
titles: Reminder for invoice {number} | Open invoices of {customer} | Who has not paid yet?
sources: cli | telegram
cwd: ~/src/ledger
customer: Bakkerij Stam | Haven Werkt | Papierwinkel Post
number: 20260010..20260390
days: 15..44
amount: 180..1900
> Which invoices of {customer} are open for more than two weeks?
| Invoice {number} is {days} days old. Did {customer} pay?
! terminal command=python -m ledger open --customer "{customer}"
: {number}  {days} days  EUR {amount}.00
< One: {number}, {days} days, EUR {amount}. The last mail to them was the invoice itself.
--
> Draft a friendly reminder, do not send it.
< "Dear all, a short reminder of invoice {number} (EUR {amount}), which is {days} days old. If it is paid already, \
please ignore this." It is in your drafts, not sent.

# gitmess
titles: Undo a rebase of {branch} | Lost commit on {branch} | Merge conflict in {file}
sources: cli
cwd: ~/src/tidewatch
branch: storm-warning | csv-export | dark-mode | alarm-sound
file: tide/chart.py | tide/load.py | README.md
sha: 3f2a91c | b81d04e | 77c0d5a
> I rebased {branch} and now a commit is gone. Get it back without making it worse.
| Where did my last commit on {branch} go? I think the rebase ate it.
! terminal command=git reflog --date=iso | head -4
: {sha} HEAD@{2}: commit: warn before the second peak
: 0d9e8aa HEAD@{1}: rebase (start): checkout main
< It is still there: `{sha}`, the one before the rebase. I would put it on a branch of its own first: nothing can be \
lost then.
--
> Yes, then cherry-pick it.
! terminal command=git branch rescue {sha} && git cherry-pick {sha}
:x CONFLICT (content): Merge conflict in {file}
! read_file path={file}
: 1|<<<<<<< HEAD
: 2|PEAK = 2.4
: 3|=======
: 4|PEAK = 2.1
: 5|>>>>>>> {sha}
< One conflict in `{file}`: main raised the threshold to 2.4, your commit sets 2.1. Which one is right?
--
> 2.4, the other was for testing.
! terminal command=git add {file} && git cherry-pick --continue --no-edit
: [{branch} 91ab3d0] warn before the second peak
< Resolved with 2.4. The branch `rescue` can go when you have looked at it.

# explain
titles: What does {term} mean? | {term}, explained | Difference: {term}
sources: telegram | cli | discord
term: WAL mode | reverse charge | NAP datum | a health check | eventual consistency
> Explain {term} to me in five sentences, with one example from my own projects.
| I keep nodding when people say {term}. What is it really?
< In one sentence: {term} is about when something counts as true. Take mole: a write is safe once it is in the log, \
even if the main file follows later. Somebody who reads meanwhile sees the last complete state. That costs a little \
disk and saves waiting. You meet it whenever a program says "saved" before everything is in its final place.
--
> And what goes wrong with it in practice?
< People copy only the main file and wonder where the last hour went. Copy both, or ask the program for a copy.
"""
