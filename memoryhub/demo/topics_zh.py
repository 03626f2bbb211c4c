"""Scripts of conversations in Chinese: home, languages, family, and the demo person's own projects."""

TEXT = r"""
# zigbee
titles: 书房温湿度传感器掉线 | Zigbee 网关要不要升级 | {room}的灯又连不上
sources: telegram | cli
room: 书房 | 厨房 | 玄关 | 阳台
n: 2..9
> {room}的传感器今天掉线了 {n} 次，帮我看看 Home Assistant 的日志。
| Home Assistant 里{room}的灯今天 {n} 次显示不可用，是网关的问题吗？
| {room}的温湿度又断了，查一下今天的日志。
! terminal command=ssh ha.lan 'ha core logs | grep -c unavailable'
: {n}
~ 掉线集中在凌晨，可能是网关和路由器的信道冲突。
< 日志里有 {n} 次 unavailable，都在凌晨三点前后。那时路由器会自动换信道，和 Zigbee 的 15 信道撞上了。
--
> 那把 Zigbee 换到 25 信道，会不会要重新配对？
< 大部分设备会自己跟过来，电池供电的可能要等几个小时。换之前先备份 SkyConnect 网关，升级固件也一样。
--
> 先备份再换吧。
! terminal command=ssh ha.lan 'ha backups new --name before-channel-25'
: Slug: 4f1c29aa
< 备份完成（before-channel-25）。信道已改为 25，{room}的传感器十分钟后重新上线。

# tideutc
titles: 潮位图差一个小时 | tidewatch 夏令时问题 | {place}的曲线对不上
sources: cli
cwd: ~/src/tidewatch
place: 鹿特丹 | 多德雷赫特 | 荷兰角
> 换了夏令时以后，{place}的潮位图比官方网站早一个小时，怎么回事？
| tidewatch 的{place}曲线和官方差一小时，只在夏令时以后。
| 有用户说{place}的潮位时间不对，帮我确认是不是时区问题。
! terminal command=grep -n "tz" tide/chart.py
: 14:    axis = frame["time"].dt.tz_localize(None)
< 传感器的时间戳是 UTC，图表却把时区去掉了，直接当本地时间画。夏令时一切换就差一小时。
--
> 应该在哪里统一？
~ 最稳妥的是入口处统一成 UTC，只在画图时转成本地时区。
< 在读取时统一成 UTC，只在画图的最后一步转成 Europe/Amsterdam。我改了 `tide/chart.py`，并加了一个跨夏令时的测试。
! terminal command=pytest tests/test_chart.py -q
: 12 passed in 0.84s
< 12 个测试全部通过，{place}的曲线现在和官方一致。

# cooking
titles: 周末做什么菜 | {dish}怎么做不腻 | 六个人的家常菜
sources: telegram
dish: 红烧肉 | 麻婆豆腐 | 葱油拌面 | 清蒸鲈鱼 | 酸菜鱼
> 周六晚上六个人吃饭，想做{dish}，再配两个素菜。
| 周末请客，六个人，主菜{dish}，给我一个清单。
| 想做{dish}，上次太腻了，怎么改？
< {dish}为主，配蒜蓉空心菜和凉拌木耳。先准备凉菜，最后十分钟再炒青菜。注意：小梅对花生过敏，炒菜用菜籽油。
--
> 家里没有豆瓣酱了，用什么代替？
< 可以用味噌加一点辣椒粉，颜色浅一些，味道也够。周五去东方超市的话记得买一瓶郫县豆瓣。
--
> 把菜单记到笔记里。
! write_file path=~/notes/recipes/saturday.md
+ content={dish}，蒜蓉空心菜，凉拌木耳；菜籽油，不放花生
: {"success": true, "bytes_written": 84}
< 已经记在 `~/notes/recipes/saturday.md`。

# dutch
titles: 荷兰语作业第 {n} 课 | 帮我改荷兰语作文 | de 还是 het
sources: telegram | discord
n: 3..24
> 第 {n} 课的作文帮我改一下，只标出错误，不要替我重写。
| 荷兰语第 {n} 课的练习做完了，标一下错。
| 看看我第 {n} 课的作文，哪里错了？不要改写。
< 三处：第二句的动词应放在第二位；"het tafel" 应为 "de tafel"；"omdat" 后面的动词放到句末。内容不用动。
--
> 为什么 "omdat" 后面动词要放最后？
< 因为它引导从句，荷兰语从句里动词放在最后。"want" 引导的是主句，所以顺序不变。
--
> 周四的课之前再给我十个练习。
< 好的，十个短句：先填 de 或 het，再把两句用 omdat 连起来。做完发给我，我只标错误。

# guilin
titles: 清明回桂林 | 漓江两日行程 | 带爸妈去{place}
sources: telegram
place: 阳朔 | 兴坪 | 龙脊梯田
price: 380..860
> 清明回桂林，想带爸妈去{place}，不要太赶，也不要爬很多台阶。
| 爸妈想去{place}，两天够吗？不要太累。
| 清明的机票贵，漓江那边两天怎么安排{place}？
! web_search query=桂林 {place} 两天 老人 行程
: 1. 漓江游船 四小时 每人 {price} 元
: 2. 竹筏 两小时 上午人少
< 建议第一天坐漓江游船（四小时，每人 {price} 元），第二天上午坐竹筏，人少。台阶不多，午饭安排在码头附近。
--
> 爸爸晕船怎么办？
< 游船很平稳，选中间的座位，提前半小时吃药。也可以只坐两小时的竹筏。
--
> 订票之前再问我一次。
< 明白：付款、订票之前一定先问您。

# photos
titles: 整理照片脚本 | 手机照片按月归档 | 重复照片怎么找
sources: cli
cwd: ~/src/photo-sort
n: 1200..9800
dup: 34..410
> 写个脚本把手机里的 {n} 张照片按年月归档，原图不能动。
| 手机里 {n} 张照片太乱了，按月份整理，别动原图。
| 帮我把相册归档，一共 {n} 张，先试运行。
! write_file path=sort_photos.py
+ content=from pathlib import Path\nimport shutil\n
: {"success": true, "bytes_written": 1312}
! terminal command=python sort_photos.py --copy --dry-run
: would copy {n} files into 48 folders
< 脚本只复制不移动：{n} 张照片会分到 48 个月份文件夹。先试运行，没有改动任何原图。
--
> 顺便找出重复的。
! terminal command=python sort_photos.py --duplicates
:x MemoryError: cannot load IMG_2024_0412.heic
! terminal command=python sort_photos.py --duplicates --by-hash
: {dup} duplicates in 17 folders
< 按内容直接比较时内存不够，改用哈希后找到 {dup} 张重复照片，清单在 `duplicates.csv`。

# tax
titles: 报税材料清单 | 自由职业扣除项 {year} | 增值税第 {q} 季度
sources: cli | telegram
year: 2024 | 2025
q: 1..4
sum: 1480..5230
> 第 {q} 季度的增值税要交多少？从 ledger 里算，不要估计。
| 算一下第 {q} 季度的增值税，用 ledger 的数。
| 第 {q} 季度快截止了，帮我核对要交的税。
! terminal command=python -m ledger vat --quarter {q}
: payable: EUR {sum}.00  (sales 21%: 14, reverse charge: 2)
< 按 ledger 的账，第 {q} 季度应交 {sum} 欧元：14 张 21% 的发票，两张是反向征税。
--
> 截止日期是哪天？提前三天提醒我。
! cronjob action=create
+ schedule=0 9 28 * *
+ prompt=提醒：增值税申报三天后截止
: {"success": true, "job_id": "vat-reminder"}
< 季度结束后的那个月月底截止。提醒已设在 28 号早上九点。

# screenshot
titles: 这张截图是什么错误 | 看看这张图
sources: telegram
code: 502 | 504 | 413
> 看这张截图，页面打不开。
| 页面报错了，截图在这里，怎么办？
| 这是什么意思？刚部署完就这样。
< 图里是 Caddy 的 {code} 错误页：后面的服务没有回应。先看 ledger 的容器是不是在重启。
--
> 果然在重启，等它一分钟。
< 现在可以打开了。重启后大约四十秒内都会看到 {code}，属于正常情况。

# keyboard
titles: 换什么键盘 | 显示器 {inch} 寸够不够 | 桌面升降支架
sources: telegram
inch: 24 | 27 | 32
price: 180..640
> 想换显示器，{inch} 寸写代码够吗？预算 {price} 欧元。
| {inch} 寸显示器，主要看代码和潮位图，预算 {price} 欧，推荐两个。
< {inch} 寸够用，关键是分辨率：写代码至少要 2560×1440。预算 {price} 欧可以考虑 IPS 屏，刷新率不用太高。
--
> 书桌只有六十厘米深，会不会太近？
< 六十厘米配 27 寸正好，32 寸就偏近了。用支架把屏幕往后推十厘米会舒服很多。

# server
titles: mole 重启以后 {svc} 没起来 | 给 mole 加内存 | {svc} 占内存太多
sources: cli | telegram
svc: ledger-staging | grafana | registry
mb: 620..2900
> mole 重启以后 {svc} 没有自动起来，看一下。
| {svc} 占了 {mb} MB 内存，正常吗？
! terminal command=ssh mole 'docker ps -a --filter name={svc} --format "{{.Status}}"'
: Exited (137) 4 minutes ago
~ 137 表示被内核因内存不足杀掉，要看限制是多少。
< 退出码 137，是内存不足被杀掉的。{svc} 的上限太低，启动时要用 {mb} MB。
--
> 调高一点，但别影响 ledger 生产。
! patch path=compose.yaml
+ old_string=mem_limit: 512m
+ new_string=mem_limit: 3g
: {"success": true, "replacements": 1}
! terminal command=ssh mole 'docker compose up -d {svc}'
: Container {svc}  Started
< 上限改为 3g 并重新启动，生产容器没有动。mole 一共 16 GB，还剩一半左右。

# family
titles: 给妈妈讲{thing} | 爸爸的{thing}怎么设置 | 视频通话{thing}
sources: telegram
thing: 手机备份 | 屏幕共享 | 字体太小 | 防诈骗
> 用最简单的话写一份说明，教妈妈做{thing}，一步一句。
| 爸爸又问{thing}的事，写一份他能照着做的说明。
< 第一步：打开“设置”。第二步：往下找到“{thing}”。第三步：按一下右边的开关，变成绿色就好了。做完给我发个笑脸。
--
> 再加一句：看不懂就打电话。
< 加上了：“哪一步看不懂，先停下来，给我打电话，不着急。”
"""
