"""Scripts of conversations in Chinese at the office: the profile `work` of the demo person."""

TEXT = r"""
# etl
titles: 日报延迟 {n} 分钟 | {table} 没有更新 | 凌晨任务失败排查
sources: cli | cli | api_server
cwd: ~/code/data-platform
table: dwd_order_detail | dim_shop | ads_daily_sales | dwd_refund
n: 20..180
> 今天的日报晚了 {n} 分钟，看一下 {table} 的任务。
| {table} 今天晚了 {n} 分钟，业务在催，先看原因。
| 凌晨任务又失败了，{table} 没有今天的分区。
! terminal command=airflow tasks states-for-dag-run daily_report today | grep {table}
:x {table}  up_for_retry  (attempt 3 of 3)
~ 第三次重试了。先看是数据没到还是查询超时。
! terminal command=tail -3 logs/{table}.log
: WARN waiting for partition dt=today
: ERROR upstream partition not ready after 90 min
< 上游分区没有就绪：等了 90 分钟后超时。不是我们的查询慢，是源库同步晚了。
--
> 先补数，再通知业务。
! terminal command=airflow tasks run daily_report {table} today --local
: Task exited with return code 0
< 补数完成，{table} 已更新。通知草稿：「今日日报因上游同步延迟 {n} 分钟，数据现已完整，请以刷新后的为准。」
--
> 以后能不能早点报警？
< 可以在等待 30 分钟时先发预警，90 分钟才算失败。报警发到数据值班群，不发个人。

# field
titles: 字段 {field} 的口径 | 数据字典：{field} | {field} 到底含不含税
sources: cli
cwd: ~/code/data-platform
field: gmv | net_amount | refund_rate | active_shop | order_cnt
> 业务问 {field} 的口径，和财务的数对不上。
| {field} 的定义到底是什么？两个报表不一样。
| 财务说我们的 {field} 偏高，帮我查口径。
! session_search query={field} 口径
: {"results": [{"session_id": "", "snippet": "{field} 以支付时间为准，不含运费"}]}
< 之前讨论过：{field} 以支付时间为准，不含运费，退款按完成时间冲减。财务用的是开票时间，所以月底会有差异。
--
> 写进数据字典，附上 SQL。
! patch path=docs/dictionary.md
+ old_string=## {field}
+ new_string=## {field}\n口径：支付时间，不含运费
: {"success": true, "replacements": 1}
< 已写入 `docs/dictionary.md`，并附上示例 SQL 和与财务口径的差异说明。

# access
titles: 申请 {db} 只读权限 | 新同事的账号 | 权限到期续期
sources: cli
db: orders_ro | crm_ro | finance_ro
days: 30 | 90 | 180
> 帮我写 {db} 的权限申请，期限 {days} 天，理由写清楚。
| 新同事需要 {db} 只读，{days} 天，帮我写申请。
| {db} 的权限快到期了，续 {days} 天。
< 申请草稿：「为核对日报口径，需要 {db} 的只读权限，期限 {days} 天；只读，不导出个人信息；到期自动收回。」
--
> 审批人是谁？
< 数据安全组的周工。财务库另外需要财务负责人同意，请不要用别人的账号代查。

# minutes
titles: 数据组周会纪要 | 周会：{topic} | 纪要整理
sources: cli
topic: 报表下线 | 双十一值班 | 成本优化 | 指标统一
n: 3..9
> 把周会记录整理成纪要，重点是{topic}，待办要写负责人和日期。
| 今天周会讨论了{topic}，整理一下，待办别漏。
| 帮我出纪要，{topic}放第一条。
~ 录音文字稿里有 {n} 个待办，其中一个没有负责人，要标出来。
< 纪要已整理：结论三条，待办 {n} 条。其中「{topic}的时间表」没有负责人，请确认。
--
> 负责人写我，日期下周三。发之前给我看。
< 已改：负责人林悦，下周三。全文在 `notes/weekly.md`，确认后再发。

# sqltuning
titles: {table} 查询 {sec} 秒 | 慢 SQL 优化 | 分区裁剪没有生效
sources: cli
cwd: ~/code/data-platform
table: ads_daily_sales | dwd_order_detail | dwd_refund
sec: 48..310
fast: 3..11
> 这个查询 {table} 的 SQL 跑了 {sec} 秒，能不能快一点？
| {table} 的月度汇总要 {sec} 秒，太慢了。
| 这条 SQL 在 {table} 上跑了 {sec} 秒，资源组已经报警。
! read_file path=sql/{table}.sql
: 1|select shop_id, sum(net_amount)
: 2|from {table}
: 3|where date_format(dt, '%Y-%m') = '2026-03'
: 4|group by shop_id
< 分区列 dt 被函数包住，分区裁剪失效，全表扫描。改成 `dt between '2026-03-01' and '2026-03-31'`。
--
> 改完再跑一次。
! terminal command=spark-sql -f sql/{table}.sql --silent
: Time taken: {fast}.2 seconds
< {fast} 秒。结果一致，只读了 31 个分区。

# release
titles: {service} 上线检查 | 周四上线窗口 | 回滚方案
sources: cli
cwd: ~/code/{service}
service: report-api | metric-store | data-portal
n: 4..19
> {service} 周四上线，帮我过一遍检查清单。
| 周四上线 {service}，检查清单过一遍，缺什么告诉我。
| {service} 的上线材料齐了吗？
! skill_view name=release-checklist
: {"success": true, "name": "release-checklist", "content": "窗口 回滚 值班 通知"}
< 清单：窗口是周四 14:00–16:00；回滚用上一个镜像；值班是小赵；通知已写好。还差一项：{n} 个配置没有同步到预发。
--
> 同步配置，不要动生产。
! terminal command=make config-sync ENV=pre
: synced {n} keys to pre
< {n} 个配置已同步到预发环境，生产没有改动。

# mock
titles: {service} 接口 mock | 前端等接口 | 联调数据
sources: cli
cwd: ~/code/{service}
service: report-api | data-portal
port: 9001..9020
> 前端在等 {service} 的接口，先给一份 mock，端口 {port}。
| 给前端起一个 {service} 的 mock，端口 {port}。
| {service} 后端还没好，先用 mock 联调，{port} 端口。
! terminal command=python -m mock_server --spec openapi.yaml --port {port}
: serving 14 paths on :{port}
< mock 已启动：14 个路径，端口 {port}。返回值按 openapi.yaml 的示例，金额一律为整数分。
--
> 空列表的情况也要有。
< 加上 `?case=empty` 即返回空列表，`?case=error` 返回 500，方便前端联调。
"""
