"""What the agent of the profile `work` remembered, mostly in Chinese."""

from __future__ import annotations

from typing import Final

from memoryhub.demo.story import Write

WORK: Final = (
    Write(
        310,
        "minutes",
        "user",
        "add",
        "称呼：林工。周一到周四在公司，周五不安排会议。",
        said="叫我林工就行。",
    ),
    Write(
        305,
        "etl",
        "memory",
        "add",
        "数据平台：Airflow 在 airflow.corp.lan，日报的 DAG 叫 daily_report，凌晨 02:00 开始，07:30 前必须出数。",
        said="记一下日报的时间要求。",
    ),
    Write(
        270,
        "etl",
        "memory",
        "add",
        "上游分区没有就绪：先补数，再通知业务。等待 30 分钟预警，90 分钟算失败；报警发数据值班群，不发个人。",
        said="报警规则记下来。",
    ),
    Write(
        233,
        "field",
        "memory",
        "add",
        "口径：net_amount 以支付时间为准，不含运费，退款按完成时间冲减；财务用开票时间，月底必有差异。",
        said="这个口径以后别再问财务了，记住。",
    ),
    Write(
        180,
        "release",
        "memory",
        "add",
        "上线流程（窗口周四 14:00–16:00）：先同步预发配置→过检查清单→通知值班→上线→观察 30 分钟，最后在群里报平安。"
        "回滚用上一个镜像。",
        said="流程固定下来，记住。",
    ),
    Write(
        141,
        "sqltuning",
        "memory",
        "add",
        "慢 SQL：分区列 dt 不要包函数，用 between，否则分区裁剪失效、全表扫描。",
        said="这条经验记下来。",
    ),
    Write(
        117,
        "mock",
        "memory",
        "add",
        "Metric names are English snake_case; amounts are integer cents in every API.",
        said="Remember: cents, never floats.",
    ),
    Write(
        88,
        "minutes",
        "user",
        "add",
        "纪要先给我看再发；待办必须有负责人和日期。偏好：先给结论，再给数据和 SQL。",
        said="以后纪要都先给我看。",
    ),
    Write(
        66,
        "access",
        "memory",
        "add",
        "权限申请找数据安全组周工；财务库另需财务负责人同意。",
        said="审批人记住。",
    ),
    Write(
        52,
        "access",
        "memory",
        "by hand",
        "权限申请找数据安全组周工；财务库另需财务负责人同意，期限不超过 180 天。",
        "权限申请找数据安全组周工",
        reason="周工在邮件里说的期限。",
    ),
    Write(
        9,
        "release",
        "memory",
        "add",
        "report-api 预发环境目前超时，网络问题，暂时不可用。",
        said="先记一下预发不可用。",
    ),
)
