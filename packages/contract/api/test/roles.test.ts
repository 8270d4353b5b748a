import { X509Certificate } from 'node:crypto';

import test from 'ava';

import { createCA, issueNode } from '@nodecore/pki';
import { permits, permitsInMaintenance, permitsSensitive, requirementOf, rolesOf } from '../src/roles.ts';

const apply = '/nodecore.v1.MachineService/ApplyConfiguration';
const version = '/nodecore.v1.MachineService/Version';

test('a method nobody declared needs os:admin and is not served in maintenance', (t) => {
  for (const path of ['/nodecore.v1.MachineService/Format', '/x', 'constructor', '__proto__', '']) {
    t.deepEqual(requirementOf(path), { roles: ['os:admin'], maintenance: false });
    t.true(permits(['os:admin'], path));
    t.false(permits(['os:operator', 'os:reader', 'os:kvstore:backup'], path));
    t.false(permitsInMaintenance(path));
  }
});

test('a reader reads and does not apply', (t) => {
  t.true(permits(['os:reader'], version));
  t.false(permits(['os:reader'], apply));
});

test('an operator may do what a reader may', (t) => {
  t.true(permits(['os:operator'], version));
  t.false(permits(['os:operator'], apply));
});

test('no role, an unknown role and a role for something else permit nothing', (t) => {
  for (const held of [[], [''], ['os:impersonator'], ['OS:ADMIN'], ['os:kvstore:backup']])
    t.false(permits(held, version), held.join());
});

test('the first configuration can be applied in maintenance', (t) => {
  t.true(permitsInMaintenance(apply));
});

test('only an administrator reads sensitive resources', (t) => {
  t.true(permitsSensitive(['os:reader', 'os:admin']));
  t.false(permitsSensitive(['os:operator']));
});

test('a trim is for operators and administrators', (t) => {
  const path = '/nodecore.v1.TrimService/Trim';
  t.true(permits(['os:operator'], path));
  t.true(permits(['os:admin'], path));
  t.false(permits(['os:reader', 'os:capture', 'os:kvstore:backup'], path));
  t.false(permitsInMaintenance(path));
});

test('a proof of emptiness is for operators and administrators', (t) => {
  const path = '/nodecore.v1.StorageService/ProveEmpty';
  t.true(permits(['os:operator'], path));
  t.true(permits(['os:admin'], path));
  t.false(permits(['os:reader', 'os:capture', 'os:kvstore:backup'], path));
  t.false(permitsInMaintenance(path));
});

test('cgroups and pressure are for readers', (t) => {
  for (const method of ['Read', 'Watch', 'Pressure']) {
    const path = `/nodecore.v1.CgroupService/${method}`;
    for (const role of ['os:reader', 'os:operator', 'os:admin']) t.true(permits([role], path), role);
    t.false(permits(['os:capture', 'os:kvstore:backup'], path));
    t.false(permitsInMaintenance(path));
  }
});

test('roles are the organizations of a certificate that are roles', (t) => {
  t.deepEqual([...rolesOf({ subject: { O: 'os:admin' } })], ['os:admin']);
  t.deepEqual(
    [...rolesOf({ subject: { O: ['os:reader', 'ACME', 'os:operator'] } })],
    ['os:operator', 'os:reader'],
  );
  t.deepEqual([...rolesOf({ subject: { O: 'os:admin, os:reader' } })], []);
  for (const none of [undefined, {}, { subject: {} }]) t.is(rolesOf(none).size, 0);
});

test('keys and headers of volumes are the business of administrators', (t) => {
  for (const method of ['RotateKeys', 'AddRecoveryKey', 'BackupHeader', 'RestoreHeader']) {
    const path = `/nodecore.v1.VolumeService/${method}`;
    t.true(permits(['os:admin'], path));
    t.false(permits(['os:operator', 'os:reader', 'os:kvstore:backup'], path));
    t.false(permitsInMaintenance(path));
  }
});

test('packets are for administrators and for who may capture and nothing else', (t) => {
  for (const method of ['Capture', 'Stop', 'Interfaces']) {
    const path = `/nodecore.v1.CaptureService/${method}`;
    t.true(permits(['os:admin'], path));
    t.true(permits(['os:capture'], path));
    t.false(permitsInMaintenance(path));
  }
  for (const method of ['Capture', 'Stop'])
    t.false(
      permits(['os:operator', 'os:reader', 'os:kvstore:backup'], `/nodecore.v1.CaptureService/${method}`),
    );
  t.false(permits(['os:capture'], '/nodecore.v1.MachineService/Version'));
});

test('the kvstore is read by readers, looked after by operators, and changed by administrators', (t) => {
  for (const role of ['os:reader', 'os:kvstore:backup'])
    for (const method of ['Status', 'Members', 'Alarms']) t.true(may(role, method), `${role} ${method}`);
  for (const method of ['DisarmAlarms', 'Defragment', 'RecoverSpace'])
    t.true(may('os:operator', method), method);
  for (const method of ['DisarmAlarms', 'Defragment', 'RecoverSpace'])
    t.false(may('os:reader', method), method);
  for (const role of ['os:operator', 'os:kvstore:backup']) t.true(may(role, 'Snapshot'), role);
  t.false(may('os:reader', 'Snapshot'));
  for (const method of ['ForfeitLeadership', 'Leave', 'RemoveMember', 'Downgrade', 'Recover', 'Bootstrap']) {
    t.false(may('os:operator', method), method);
    t.true(may('os:admin', method), method);
  }
  for (const method of ['DisarmAlarms', 'Defragment', 'RecoverSpace', 'Leave', 'Bootstrap'])
    t.false(may('os:kvstore:backup', method), method);
});

function may(role: string, method: string): boolean {
  return permits([role], `/nodecore.v1.KvstoreService/${method}`);
}

test('the certificate of a node has no role', async (t) => {
  const node = await issueNode(await createCA('nodecore'), { uuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e' });
  t.deepEqual([...rolesOf(new X509Certificate(node.crt).toLegacyObject())], []);
});
