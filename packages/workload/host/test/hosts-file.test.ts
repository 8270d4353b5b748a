import test from 'ava';

import { hostsFile } from '@nodecore/host';

test('the own names come first, then the entries', (t) => {
  const text = hostsFile('a.example.org', [{ address: '10.0.0.1', names: ['db', 'db', 'db.local'] }]);
  t.is(
    text,
    '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 a.example.org a\n10.0.0.1 db db.local\n',
  );
  t.notRegex(hostsFile(undefined, []), /127\.0\.1\.1/);
});

test('no value breaks out of its line', (t) => {
  for (const name of ['a\n10.0.0.1 bank', 'a b', 'a#b', 'a\tb', '-a', ''.padEnd(300, 'a')])
    t.throws(() => hostsFile(undefined, [{ address: '10.0.0.1', names: [name] }]), { code: 'ERR_HOST_NAME' });
  for (const address of ['10.0.0.1\n', '10.0.0.1 x', 'x', ''])
    t.throws(() => hostsFile(undefined, [{ address, names: ['a'] }]), { code: 'ERR_HOST_NAME' });
});
