import test from 'ava';

import { redactText } from '../src/support/redact.ts';
import { isLinear } from './linear.ts';

/** What is printed, and what is left of it. */
const forms: readonly (readonly [text: string, redacted: string])[] = [
  ['curl -u user:password https://x', 'curl -u [redacted] https://x'],
  ['curl https://x -u user:password\nnext', 'curl https://x -u [redacted]\nnext'],
  ['curl -uuser:pass https://x', 'curl -u[redacted] https://x'],
  ['/usr/bin/curl -fsSLu user:pass https://x', '/usr/bin/curl -fsSLu [redacted] https://x'],
  ['curl -U user:pass https://x', 'curl -U [redacted] https://x'],
  ['curl --user user:pass https://x', 'curl --user [redacted] https://x'],
  ['curl --user=user:pass https://x', 'curl --user=[redacted] https://x'],
  ['curl --proxy-user user:pass https://x', 'curl --proxy-user [redacted] https://x'],
  // a key that has no password is a user
  ['curl -u sk_live_1: https://x', 'curl -u [redacted] https://x'],
  ['curl --user token:abc https://x', 'curl --user [redacted] https://x'],
  ['curl -u 1001:1234 https://x', 'curl -u [redacted] https://x'],
  ['etcdctl --user root:pass get x', 'etcdctl --user [redacted] get x'],
  ['curl -E client.pem:pass https://x', 'curl -E [redacted] https://x'],
  ['curl --cert client.pem:pass https://x', 'curl --cert [redacted] https://x'],
  ['curl --proxy-cert=client.pem:pass https://x', 'curl --proxy-cert=[redacted] https://x'],
  // the environment
  ['ETCDCTL_USER=root:pass etcdctl get x', 'ETCDCTL_USER=[redacted] etcdctl get x'],
  ["export ETCDCTL_USER='root:pass'", "export ETCDCTL_USER='[redacted]'"],
  ['{"env":["ETCDCTL_USER=root:pass"]}', '{"env":["ETCDCTL_USER=[redacted]"]}'],
  ["export ETCDCTL_USER='root:pa ss'", "export ETCDCTL_USER='[redacted]'"],
  [`ETCDCTL_USER="root:pa'ss" x`, 'ETCDCTL_USER="[redacted]" x'],
  [String.raw`ETCDCTL_USER=root:pa\ ss x`, 'ETCDCTL_USER=[redacted] x'],
  [String.raw`{"env":["ETCDCTL_USER=root:pa\"ss"]}`, '{"env":["ETCDCTL_USER=[redacted]"]}'],
  ["ETCDCTL_USER=root:'pa ss' x", 'ETCDCTL_USER=[redacted] x'],
  ['ETCDCTL_USER=1001:1234-abcd x', 'ETCDCTL_USER=[redacted] x'],
  ['ETCDCTL_USER: root:pa ss\nx', 'ETCDCTL_USER: [redacted]\nx'],
  ['{"ETCDCTL_USER":"root:pass","x":1}', '{"ETCDCTL_USER":"[redacted]","x":1}'],
  ['A_USER=me\0PATH=/usr/bin:/bin\0B_USER=a:b\0C=1', 'A_USER=me\0PATH=/usr/bin:/bin\0B_USER=[redacted]\0C=1'],
  // quotes of a shell
  ["curl -u 'user:pa ss' https://x", "curl -u '[redacted]' https://x"],
  [String.raw`curl -u "user:pa\"s s" https://x`, 'curl -u "[redacted]" https://x'],
  [String.raw`curl -u 'user:it'\''s mine' https://x`, "curl -u '[redacted]' https://x"],
  ["curl -u user:'pa ss' https://x", 'curl -u [redacted] https://x'],
  [String.raw`curl -u user:pa\ ss https://x`, 'curl -u [redacted] https://x'],
  ["curl -u'user:pa ss' https://x", "curl -u'[redacted]' https://x"],
  ["curl '-uuser:pa ss' https://x", "curl '-u[redacted]' https://x"],
  ["curl '--user=user:pa ss' https://x", "curl '--user=[redacted]' https://x"],
  ["'curl' '-u' 'user:pass' 'https://x'", "'curl' '-u' '[redacted]' 'https://x'"],
  ['sh -c "curl -u user:pass" > x', 'sh -c "curl -u [redacted]" > x'],
  ['curl \\\n  -u user:pass \\\n  https://x', 'curl \\\n  -u [redacted] \\\n  https://x'],
  // JSON, YAML and others
  ['["curl","-u","user:pa,ss","https://x"]', '["curl","-u","[redacted]","https://x"]'],
  ['["curl","-uuser:pass"]', '["curl","-u[redacted]"]'],
  ['"curl",\n  "-u",\n  "user:pass",\n  "-v"', '"curl",\n  "-u",\n  "[redacted]",\n  "-v"'],
  ['{"cmd":"curl -u user:pass","line":1}', '{"cmd":"curl -u [redacted]","line":1}'],
  [
    String.raw`{"cmd":"curl -u \"user:pa ss\" x","line":1}`,
    String.raw`{"cmd":"curl -u \"[redacted]\" x","line":1}`,
  ],
  [
    String.raw`{"m":"curl -u 'user:it'\\''s' x","line":1}`,
    String.raw`{"m":"curl -u '[redacted]' x","line":1}`,
  ],
  ['- curl\n- -u\n- user:pa ss\n- https://x', '- curl\n- -u\n- [redacted]\n- https://x'],
  ['- curl\n- "-u"\n- "user:pass"\n- -v', '- curl\n- "-u"\n- "[redacted]"\n- -v'],
  ['[curl, -u, user:pass, x]', '[curl, -u, [redacted] x]'],
  ['curl\0-u\0user:pass\0x', 'curl\0-u\0[redacted]\0x'],
];

test('a user with its password goes, however a command line is written, and what stands around it stays', (t) => {
  for (const [text, redacted] of forms) t.is(redactText(text), redacted, text);
});

test('users without passwords, groups, times and addresses stay', (t) => {
  for (const text of [
    'sudo -u postgres psql',
    'sudo -u postgres curl https://x',
    'sudo --user postgres psql -c a:b',
    'chown -u root:root file',
    'docker run -u node:node image',
    'docker run --user 1000:1000 image',
    'systemctl --user status a:b',
    'date -u +%H:%M:%S',
    'curl -s https://x | date -u +%H:%M:%S',
    'curl https://x\nsort -u a:b',
    'curl -u user https://x',
    'curl -E client.pem https://x',
    'etcdctl --cert /etc/etcd/client.pem get x',
    'RUN_USER=1000:1000',
    'RUN_USER: 1000:1000',
    'curl -s http://x | grep -E "level:(warn|error)"',
    "curl -s http://x | sed -E 's:a:b:'",
    "curl -s http://x && grep -vE '^::1' /etc/hosts",
    'ETCDCTL_USER=root',
    'curl -u : --negotiate https://x',
    'curl --user-agent a:b https://x',
    'curl -o a:b https://x',
    'curl: (6) Could not resolve host: x',
    'helm -u https://host:443',
    '-u, --user <user>  the user',
  ])
    t.is(redactText(text), text);
});

test('the time to look for users grows with the text, and not with its square', (t) => {
  for (const piece of [
    'curl ',
    'curl -u ',
    'curl -ua:b ',
    'curl.-u',
    'curl -u"',
    'curl -u":',
    `curl.-u'.-u"`,
    'curl -u\\ ',
    'curl -b ',
    'A_USER=',
    'A_USER=a:',
    'A_USER: ',
    '"A_USER',
    '_USER',
    '--user ',
    '--user="a',
    '--user\n- ',
    '\n',
  ])
    isLinear(t, piece, redactText);
});
