import { requirementOf } from '@nodecore/api';
import test from 'ava';

import { anonymousCaller, authorise, certifiedCaller, mayReadSensitive } from '../src/server/caller.ts';
import { callerWith } from './callers.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const serverAuth = '1.3.6.1.5.5.7.3.1';

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
  t.notThrows(() => authorise(callerWith('os:admin'), path));
  t.throws(() => authorise(callerWith('os:operator'), path), { code: 'ERR_SERVER_DENIED' });
  t.throws(() => authorise(anonymousCaller(), path), { code: 'ERR_SERVER_DENIED' });
});

test('nobody reads what is sensitive in maintenance', (t) => {
  t.false(mayReadSensitive({ maintenance: true, roles: new Set(['os:admin']) }));
  t.true(mayReadSensitive(callerWith('os:admin')));
});

test('a denial names each role that would do, and the roles that are there', (t) => {
  const path = '/nodecore.v1.TrimService/Trim';
  t.throws(() => authorise(callerWith('os:reader'), path), {
    message: `${path}: needs os:operator or os:admin, and the certificate has os:reader`,
  });
  t.throws(() => authorise(callerWith(), '/nodecore.v1.ResourceService/Get'), {
    message: /needs os:reader or os:operator or os:admin, and the certificate has no role$/,
  });
});

test('a caller is known by name, serial number and fingerprint; in maintenance nobody is, and nobody has a role', (t) => {
  const certificate = {
    subject: { O: 'os:reader', CN: 'dashboard' },
    ext_key_usage: [clientAuth],
    serialNumber: '0A1B',
    fingerprint256: 'AB:CD',
    valid_to: 'Nov 22 14:00:00 2026 GMT',
  };
  t.like(certifiedCaller(certificate), {
    name: 'dashboard',
    serial: '0A1B',
    fingerprint: 'abcd',
    isAdmin: false,
    expiresMs: Date.UTC(2026, 10, 22, 14),
  });
  const anonymous = anonymousCaller('10.0.0.7');
  t.like(anonymous, { name: 'anonymous', isAdmin: false, identity: '10.0.0.7' });
  t.is(anonymous.roles.size, 0);
});
