"""Words that say nothing about what an entry is about, in the languages that memories are written in."""

from __future__ import annotations

_WORDS = """
the and for are was with that this from not but has have had its you your they them their all any can will would should
must may use uses used using user users when where which what who how than then also only always never into onto out off
over under after before about each every per via does did done do is it in on at of to an as by or be if so no we he she
i me my his her our us up down more most less very just too own same such new set get keep make like likes prefers
prefer wants want need needs
de la el los las un una y en que por para con del al se es no su sus como más usuario siempre nunca
o os as um uma e em do da dos das no na nos nas com não ao à seu sua usuário sempre
le les des et du est une dans pour pas avec sur au aux ne qui utilisateur toujours jamais
der die das und ist ein eine nicht mit auf für von zu den dem im benutzer immer nie
и в на не с по для что это как из к у от до за или если пользователь всегда никогда
用户 偏好 使用 需要 不要 喜欢 可以 必须 默认 进行 要求 一个 的时 时候 如果 没有 所有 这个 以及
"""

STOP_WORDS = frozenset(_WORDS.split())
