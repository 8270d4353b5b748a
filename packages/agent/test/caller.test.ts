import { requirementOf } from '@nodecore/api';
import test from 'ava';

import { authorise, certifiedCaller, maintenanceCaller, mayReadSensitive } from '../src/server/caller.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const serverAuth = '1.3.6.1.5.5.7.3.1';

const as = (role: string) => ({ maintenance: false, roles: new Set([role]) });

test('only a certificate for clients, and for nothing else, is one', (t) => {
  for (const usages of [undefined, [], [serverAuth], [clientAuth, serverAuth]]) {
    const certificate = { subject: { O: 'os:admin' }, ext_key_usage: usages };
    t.throws(() => certifiedCaller(certificate), { code: 'ERR_SERVER_UNAUTHENTICATED' });
  }
  t.throws(() => certifiedCaller(undefined), { code: 'ERR_SERVER_UNAUTHENTICATED' });
  const caller = certifiedCaller({ subject: { O: ['os:reader', 'x'] }, ext_key_usage: [clientAuth] });
  t.deepEqual([...caller.roles], ['os:reader']);
});

test('a method that nobody declared needs an administrator, also in maintenance', (t) => {
  const path = '/nodecore.v1.MachineService/Future';
  t.deepEqual(requirementOf(path).roles, ['os:admin']);
  t.notThrows(() => authorise(as('os:admin'), path));
  t.throws(() => authorise(as('os:operator'), path), { code: 'ERR_SERVER_DENIED' });
  t.throws(() => authorise(maintenanceCaller, path), { code: 'ERR_SERVER_DENIED' });
});

test('nobody reads what is sensitive in maintenance', (t) => {
  t.false(mayReadSensitive({ maintenance: true, roles: new Set(['os:admin']) }));
  t.true(mayReadSensitive({ maintenance: false, roles: new Set(['os:admin']) }));
});
