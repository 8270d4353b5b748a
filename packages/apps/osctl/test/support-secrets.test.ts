import test from 'ava';

import { redactText } from '../src/support/redact.ts';
import { isLinear } from './linear.ts';

const marker = 'marker-b71c0e';

test('secrets are known by the forms in which programs print them, and other text stays', (t) => {
  for (const text of [
    `PASSWORD=${marker}`,
    `{"apiKey":"${marker} \\"${marker}"}`,
    `db_password: '${marker} ${marker}'`,
    `https://a:${marker}@b/c?token=${marker}&d`,
    `Authorization: Bearer ${marker}`,
    `-----BEGIN PRIVATE KEY-----\n${marker} that is cut`,
  ])
    t.false(redactText(text).includes(marker), text);
  const plain = 'etcd: elected leader 8e9e at term 2\nhttps://host/path?x=1 user@host\n';
  t.is(redactText(plain), plain);
});

/** What is printed, and what is left of it. */
const forms: readonly (readonly [text: string, redacted: string])[] = [
  // JSON in JSON, and that in JSON again
  [
    String.raw`{"msg":"{\"token\":\"abcdef0123\",\"password\":\"hunter2\"}"}`,
    String.raw`{"msg":"{\"token\":\"[redacted]\",\"password\":\"[redacted]\"}"}`,
  ],
  [
    String.raw`{"m":"{\"a\":\"{\\\"token\\\":\\\"x y\\\",\\\"q\\\":1}\"}","z":2}`,
    String.raw`{"m":"{\"a\":\"{\\\"token\\\":\\\"[redacted]\\\",\\\"q\\\":1}\"}","z":2}`,
  ],
  [String.raw`{"password": "a\\", "b": "c"}`, '{"password": "[redacted]", "b": "c"}'],
  ['{"msg":"login password: my secret","line":1}', '{"msg":"login password: [redacted]","line":1}'],
  ['"token": 12345678, "tokens": 128', '"token": "[redacted]", "tokens": 128'],
  ['"tokens": [\n "a",\n "b"\n],\n "x": 1', '"tokens": ["[redacted]"],\n "x": 1'],
  ['{"name":"DB_PASSWORD","value":"hunter2"}', '{"name":"DB_PASSWORD","value":"[redacted]"}'],
  ['{"auth":"dXNlcjpwYXNz"}', '{"auth":"[redacted]"}'],
  // YAML
  ['password: my secret phrase', 'password: [redacted]'],
  ["passphrase: don't tell, please", 'passphrase: [redacted]'],
  ['token: |\n  abc\n\n  def\nnext: 1', 'token: |\n  [redacted]\nnext: 1'],
  ['- token: >-\r\n    abc\r\n  name: x', '- token: >-\n    [redacted]\r\n  name: x'],
  ['password: abc\n  def\nnext: 1', 'password: [redacted]\nnext: 1'],
  ['password: "abc\n  def"\nnext: 1', 'password: "[redacted]"\nnext: 1'],
  ['token:\n  abc\nnext: 1', 'token:\n  [redacted]\nnext: 1'],
  ['passwords:\n- abc\n- def\nuser: me', 'passwords:\n  [redacted]\nuser: me'],
  ['- name: DB_PASSWORD\n  value: abc def', '- name: DB_PASSWORD\n  value: [redacted]'],
  ["password='it''s mine'", "password='[redacted]'"],
  ['secretKey: abcd', 'secretKey: [redacted]'],
  // .netrc
  ['machine h login me password abc', 'machine h login me password [redacted]'],
  ['machine h password abc login me', 'machine h password [redacted] login me'],
  ['machine h\n\tpassword abc\n\tlogin me', 'machine h\n\tpassword [redacted]\n\tlogin me'],
  ['default login me account us password abc', 'default login me account us password [redacted]'],
  ['machine h\n  login me\n  password a"b\nmachine', 'machine h\n  login me\n  password [redacted]\nmachine'],
  [
    String.raw`{"file":"machine h\n\tlogin me\n\tpassword abc\n"}`,
    String.raw`{"file":"machine h\n\tlogin me\n\tpassword [redacted]\n"}`,
  ],
  [String.raw`{"m":"login me password a\b"}`, '{"m":"login me password [redacted]"}'],
  // command lines, environments, settings
  ['--token abcdef --password hunter2 --quiet', '--token [redacted] --password [redacted] --quiet'],
  ['["--token","abcdef","-v"]', '["--token","[redacted]","-v"]'],
  ['- --token\n- abcdef\n- -v', '- --token\n- [redacted]\n- -v'],
  [String.raw`password='it'\''s mine' next`, "password='[redacted]' next"],
  ['aws_secret_access_key = abcd', 'aws_secret_access_key = [redacted]'],
  ['DB_PASSWORD_PROD=abcd', 'DB_PASSWORD_PROD=[redacted]'],
  ['PresharedKey = abcd=', 'PresharedKey = [redacted]'],
  ['level=info password=abcd user=me', 'level=info password=[redacted] user=me'],
  ['password={SSHA}abcd', 'password=[redacted]'],
  ['mysql://root:p@ss@host/db', 'mysql://[redacted]@host/db'],
  ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [redacted]'],
  ['Authorization: Token abcd1234', 'Authorization: [redacted]'],
  // one that is not closed hides no more than its line
  ['password: "abc def\nnext', 'password: [redacted]\nnext'],
];

test('a secret goes with all of its value, however it is written, and what stands around it stays', (t) => {
  for (const [text, redacted] of forms) t.is(redactText(text), redacted, text);
});

test('counters, switches, and what is only about a secret are no secrets', (t) => {
  for (const text of [
    'tokens: 3 issued',
    'max_tokens=4096 secrets: 0, credentials: 12.',
    '"token": null, "secret": false, "password": ""',
    'secretName: my-secret',
    'token_ttl: 30s',
    'secret:\n  secretName: mine\n  items:\n  - key: a',
    '"secrets": [], "secret": {"secretName":"x"}',
    '/run/secrets/token: permission denied',
    'systemd-ask-password-console.path: Deactivated successfully',
    'tokenreviews.authentication.k8s.io: forbidden',
    'auth: denied for user x',
    'auth: 10.0.0.5 refused',
    'basic authentication is off',
    'tokenizer: words',
  ])
    t.is(redactText(text), text);
});

test('the time to look for secrets grows with the text, and not with its square', (t) => {
  for (const piece of [
    'deadbeef',
    'a.',
    'a-b',
    'token',
    'token="',
    'token: [',
    '\\',
    ' ',
    'token:\n',
    '://a',
    'auth=',
    'login ',
    'login a ',
    'login a account ',
    'machine ',
    'machine a ',
  ])
    isLinear(t, piece, redactText);
  const start = performance.now();
  redactText('deadbeef'.repeat(1 << 17));
  t.true(performance.now() - start < 1000);
});
