"""What the demo person's agent remembered over thirteen months, and what was typed in by hand."""

from __future__ import annotations

from typing import Final

from memoryhub.demo.story import Write

HOME: Final = (
    Write(
        399,
        "books",
        "user",
        "add",
        "Name: Lin Yue (林悦). Freelance backend developer in Rotterdam; works Monday to Thursday, Friday is for "
        "invoices and the weekly report.",
        said="By the way, I am Lin Yue, I live in Rotterdam and write backends for small shops.",
    ),
    Write(
        395,
        "dutch",
        "user",
        "add",
        "Speaks Chinese and English, learns Dutch (class on Thursday 20:00): mark the mistakes only, do not rewrite.",
        said="以后改荷兰语都这样：只标错误，不要重写。",
    ),
    Write(
        391,
        "disk",
        "memory",
        "add",
        "Home server `mole`: Debian 13, 16 GB, Docker behind Caddy. ledger on mole: production :8400, staging :8310.",
        said="Remember how mole is set up, you will need it often.",
    ),
    Write(
        384,
        "migration",
        "memory",
        "add",
        "PR #118 (vat-rates) merged, phase 2 still open, waiting for the customer's answer.",
        said="Note that vat-rates is merged.",
    ),
    Write(
        378,
        "migration",
        "memory",
        "add",
        "ledger: one change per file in ledger/db/migrations, never edit an applied one; numbers must be unique. Run "
        "`make check` before every commit.",
        said="That is the rule for all migrations. Keep it.",
    ),
    Write(
        330,
        "flaky",
        "user",
        "add",
        "Prefers the command first, then one sentence why. No emojis.",
        said="Shorter, please. The command first, then why.",
    ),
    Write(
        322,
        "flaky",
        "user",
        "by hand",
        "Prefers the command first, then one sentence why. No emojis, no apologies, no summary at the end.",
        "Prefers the command first",
        reason="It still said sorry in every answer.",
    ),
    Write(
        301,
        "staging",
        "memory",
        "add",
        "ledger staging: deploy with `make ship ENV=staging`. The health check needs about 40 seconds after a restart "
        "because migrations run on start; HEALTH_TIMEOUT in deploy/staging.env is 90. Roll back with TAG=previous.",
        said="Write down how staging behaves.",
    ),
    Write(290, "migration", "memory", "remove", old="PR #118", said="Phase 2 is done, that note can go."),
    Write(
        280,
        "guilin",
        "user",
        "add",
        "付款、订票、发信之前一定先问我；草稿可以直接写。",
        said="记住：付款、订票、发信之前都要先问我。",
    ),
    Write(
        262,
        "report",
        "memory",
        "add",
        "Weekly report: 1) export the hours with --include-draft, 2) run `python scripts/report.py --week N`, 3) check "
        "the totals against the invoices, 4) send the PDF to Tom on Friday before 16:00, 5) note the sum in ledger. "
        "If hours are missing, look into data/hours-N-draft.csv first.",
        said="Keep these steps, we do this every week.",
    ),
    Write(
        243,
        "tideutc",
        "memory",
        "add",
        "坑：tidewatch 传感器的时间戳是 UTC，图表按 Europe/Amsterdam 显示。读取时统一成 UTC，"
        "只在画图的最后一步转换，否则夏令时前后差一小时。测试在 tests/test_chart.py。",
        said="把这个坑记下来，下次别再踩。",
    ),
    Write(
        221,
        "tidecsv",
        "memory",
        "add",
        'tidewatch exports: pandas.read_csv fails on the second header line (units); pass sep=";" and skiprows=[1].',
        said="Remember the skiprows thing.",
    ),
    Write(
        216,
        "dutch",
        "user",
        "outside",
        "Speaks Chinese and English, learns Dutch (class on Thursday 19:00): mark the mistakes only, do not rewrite.",
        "Speaks Chinese and English",
    ),
    Write(
        210,
        "cooking",
        "user",
        "add",
        "小梅对花生过敏：菜谱和餐厅建议都要避开花生和花生油。",
        said="记住小梅对花生过敏。",
    ),
    Write(
        187,
        "zigbee",
        "memory",
        "add",
        "书房的 Home Assistant 在树莓派 5 上（http://ha.lan:8123），Zigbee 用 25 信道，避开路由器凌晨三点的自动换信道；"
        "升级 SkyConnect 网关固件前先备份。",
        said="把信道和备份的事记下来。",
    ),
    Write(
        174,
        "trip",
        "user",
        "add",
        "Travel: by train with a window seat, no hostels with shared bathrooms, nothing above the fourth floor "
        "without a lift.",
        said="Remember how I travel.",
    ),
    Write(
        148,
        "disk",
        "memory",
        "replace",
        "Home server `mole`: Debian 13, 16 GB, Docker behind Caddy, registry at registry.mole.lan, Grafana on :3000. "
        "ledger on mole: production :8400, staging :8420 (was :8310 until June). Old images are pruned on Sunday "
        "04:00; never prune volumes, they hold the data of kiosk and papaya.",
        "Home server `mole`",
        said="Staging moved to 8420, and the prune timer is on. Update what you know about mole.",
    ),
    Write(
        120,
        "grafana",
        "memory",
        "by hand",
        "Grafana on mole (port 3000): user yue, password: heron-Quay-4471. Alerts go to #mole on Discord.",
    ),
    Write(
        111,
        "grafana",
        "memory",
        "by hand",
        "Grafana on mole (port 3000): user yue, password: heron-Quay-4471. Alerts go to #mole on Discord; the rule "
        '"pump no data" waits 10 minutes.',
        "Grafana on mole",
        reason="No more alerts at three in the night: the waiting time belongs here too.",
    ),
    Write(
        96,
        "staging",
        "memory",
        "add",
        "Deploy ledger to staging: `make ship ENV=staging`, then wait about 40 seconds for the health check because "
        "migrations run on start. If it does not come up, roll back with `make ship ENV=staging TAG=previous`.",
        said="Remember how to roll back staging, I asked this before.",
    ),
    Write(
        75,
        "backup",
        "memory",
        "by hand",
        "Backup of mole: backup.timer at 04:30, rsync to the NAS with the key ~/.ssh/id_mole_backup (only for this; "
        "never for a login). Restore test twice a year, last one in March.",
        reason="Copied from my notes.",
    ),
    Write(60, "disk", "memory", "evict", old="tidewatch exports"),
    Write(
        58,
        "books",
        "user",
        "add",
        "Time zone Europe/Amsterdam; dates as 2026-05-03, weeks begin on Monday. Reads long answers on the phone: "
        "tables only when asked.",
        said="No table, I read this on the phone.",
    ),
    Write(
        50,
        "guilin",
        "user",
        "add",
        "父母住在桂林，每年清明回去；爸爸晕船，行程不要太赶，不爬很多台阶。",
        said="记下爸妈的情况，以后安排行程都用得上。",
    ),
    Write(
        34,
        "trip",
        "memory",
        "add",
        "Web search is often rate limited: the free plan is used up and there are no credentials for another one yet. "
        "Searching for opening hours and train times does not work at the moment.",
        said="Then note that search is out, so you do not try five times.",
    ),
    Write(
        12,
        "letter",
        "memory",
        "add",
        "User prefers letters in Dutch and English, short and without reproach; addresses people with Geachte and "
        "last name. The landlord is Mr Verhoef.",
        said="Letters always like this one: two languages, and friendly.",
    ),
    Write(
        0.02,
        "migration",
        "memory",
        "replace",
        "ledger: one change per file in ledger/db/migrations, never edit an applied one; numbers must be unique "
        "(test_numbers_are_unique). `make check` runs in the pre-push hook now, no need to call it by hand.",
        "ledger: one change per file",
        said="The pre-push hook runs make check now. Update your note.",
    ),
)
