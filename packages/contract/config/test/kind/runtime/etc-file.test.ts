import { tableOf } from '../table.ts';

const contents = '\ncontents: x\n';

tableOf('EtcFileConfig', {
  reads: [
    ['name: motd\ncontents: |\n  hello\n', { name: 'motd', mode: 0o644, contents: 'hello\n' }],
    ['name: a/b-c.d/e@1\nmode: 0o600\ncontents: ""\n', { name: 'a/b-c.d/e@1', mode: 0o600, contents: '' }],
    ['name: a\nmode: 0755\ncontents: ""\n', { mode: 0o755 }],
    ['name: a\n', { name: 'a', mode: 0o644, contents: '' }],
    ['name: a\nmode: "0o1777"\ncontents: "\\t"\n', { mode: 0o1777 }],
  ],
  refuses: [
    [`name: §/etc/motd${contents}`, 'etc_file.path', 'name'],
    [`name: §../motd${contents}`, 'etc_file.path', 'name'],
    [`name: §a/../b${contents}`, 'etc_file.path', 'name'],
    [`name: §a//b${contents}`, 'etc_file.path', 'name'],
    [`name: §.profile${contents}`, 'etc_file.path', 'name'],
    [`name: §"a\\nb"${contents}`, 'etc_file.path', 'name'],
    [`name: §""${contents}`, 'etc_file.path', 'name'],
    [`name: §passwd${contents}`, 'etc_file.reserved', 'name'],
    [`name: §ssh/sshd_config${contents}`, 'etc_file.reserved', 'name'],
    [`name: §cri/conf.d/a${contents}`, 'etc_file.reserved', 'name'],
    [`name: a\nmode: §644${contents}`, 'mode.octal', 'mode'],
    [`name: a\nmode: §0o4755${contents}`, 'mode.special', 'mode'],
    [`name: a\nmode: §0o0${contents}`, 'mode.none', 'mode'],
    ['name: a\ncontents: §"a\\0b"\n', 'text.control', 'contents'],
    [`name: a\ncontents: §${'x'.repeat(65_537)}\n`, 'text.length', 'contents'],
    [`name: a\ncontents: §${'€'.repeat(21_846)}\n`, 'etc_file.size', 'contents'],
    ['name: a\ncontents: §5\n', 'wrong_type', 'contents'],
    ['name: a\n§contents:\n', 'wrong_type', 'contents'],
    [`name: a\n§modes: 0o600${contents}`, 'unknown_field', 'modes'],
  ],
});
