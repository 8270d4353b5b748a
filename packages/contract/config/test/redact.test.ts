import test from 'ava';

import { diff, redact } from '@nodecore/config';
import { caCertificate, caKey } from './fixtures/authority.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const text = `# what this node is
version: v1alpha1
machine:
  type: controlplane   # the only one
  token: open.sesame
  ca: {crt: ${base64(caCertificate)}, key: '${base64(caKey)}'}
cluster:
  secret: ${base64('s'.repeat(32))}

---
apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector: {match: 'disk.size > 0'}
  minSize: 1GiB
encryption:
  provider: luks2
  keys:
    - static:
        passphrase: |
          correct horse
          battery staple
    - slot: 1
      static: { "passphrase": "tab\\there" } # in flow style
    # - slot: 2
    #   static: {passphrase: hidden}
`;
const secrets = [
  'open.sesame',
  base64(caKey),
  base64('s'.repeat(32)),
  'correct',
  'staple',
  'there"',
  'hidden',
];

test('secrets are replaced and everything else stays as it was', (t) => {
  const redacted = redact(text);
  for (const secret of secrets) {
    t.true(text.includes(secret), secret);
    t.false(redacted.includes(secret), secret);
  }
  t.is(
    redacted,
    text
      .replace('open.sesame', '"******"')
      .replace(`'${base64(caKey)}'`, '"******"')
      .replace(base64('s'.repeat(32)), '"******"')
      .replace('|\n          correct horse\n          battery staple\n', '"******"\n')
      .replace('"tab\\there"', '"******"')
      .replace('hidden}', '"******"'),
  );
  t.true(redacted.includes(base64(caCertificate)));
});

test('a text that is not valid is not redacted but refused', (t) => {
  t.throws(() => redact(text.replace('passphrase:', 'passphrse:')), { code: 'ERR_CONFIG_INVALID' });
  t.is(redact(''), '');
});

test('a diff is empty when nothing changed but line ends', (t) => {
  t.is(diff(text, text), '');
  t.is(diff(text, text.trimEnd().replaceAll('\n', '\r\n')), '');
});

test('a diff shows a change and no secret', (t) => {
  const patch = diff(text, text.replace('minSize: 1GiB', 'minSize: 2GiB'));
  t.deepEqual(
    patch.split('\n').filter((line) => /^[-+]/u.test(line)),
    ['--- before', '+++ after', '-  minSize: 1GiB', '+  minSize: 2GiB'],
  );
  for (const secret of secrets) t.false(patch.includes(secret), secret);
});

test('a changed secret says that it changed and nothing more', (t) => {
  const patch = diff(text, text.replace('battery staple', 'paper clip').replace('open.sesame', 'open.up'));
  t.deepEqual(
    patch.split('\n').filter((line) => /^[-+] /u.test(line)),
    [
      '-  token: "******"',
      '+  token: "****** (changed)"',
      '-        passphrase: "******"',
      '+        passphrase: "****** (changed)"',
    ],
  );
  for (const secret of [...secrets, 'paper', 'clip', 'open.up']) t.false(patch.includes(secret), secret);
});

test('the same secret in other quotes has not changed', (t) => {
  t.is(
    diff(
      text,
      text.replace('token: open.sesame', 'token: open.sesame').replace('"tab\\there"', '"tab\\x09here"'),
    ),
    '',
  );
});

test('a key in front of others does not make them look changed', (t) => {
  const added = text.replace('  keys:\n', '  keys:\n    - {slot: 7, static: {passphrase: fresh}}\n');
  const patch = diff(text, added);
  t.false(patch.includes('(changed)'));
  t.true(patch.includes('+    - {slot: 7, static: {passphrase: "******"}}'));
});

test('the first configuration is all new', (t) => {
  const patch = diff('', text);
  t.true(patch.includes('+kind: UserVolumeConfig'));
  for (const secret of secrets) t.false(patch.includes(secret), secret);
});
