import test from 'ava';

import { tetheredCommand } from '../src/index.ts';

test('a system without a shell names the program that looks at the parent', (t) => {
  const before = process.env['NODECORE_TETHER'];
  t.teardown(() => {
    if (before === undefined) delete process.env['NODECORE_TETHER'];
    else process.env['NODECORE_TETHER'] = before;
  });
  process.env['NODECORE_TETHER'] = '/usr/lib/nodeos/tether';
  const command = tetheredCommand(['etcd', '--name', 'one'], ['--no-new-privs']);
  t.deepEqual(command.slice(0, 5), ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--']);
  t.deepEqual(command.slice(5), ['/usr/lib/nodeos/tether', String(process.pid), 'etcd', '--name', 'one']);
});
