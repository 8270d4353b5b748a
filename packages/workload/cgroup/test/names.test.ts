import test from 'ava';

import { containerNames, firstOf, systemdUnits } from '../src/index.ts';

const id = 'a'.repeat(63) + '1';
const uid = '0b9aa6a8-6a4f-4d5c-9e1c-0123456789ab';

test('units have the names that systemd gives them, with escapes undone', (t) => {
  t.deepEqual(systemdUnits.resolve('/system.slice/sshd.service'), {
    kind: 'unit',
    name: 'sshd.service',
    id: 'sshd.service',
  });
  t.like(systemdUnits.resolve('/user.slice'), { kind: 'slice', name: 'user.slice' });
  t.like(systemdUnits.resolve('/user.slice/user-0.slice/session-1.scope'), { kind: 'scope' });
  t.like(systemdUnits.resolve('/system.slice/dev-disk-by\\x2dlabel-gr\\xc3\\xbcn.swap'), {
    name: 'dev-disk-by-label-grün.swap',
  });
  t.is(systemdUnits.resolve('/kubepods'), undefined);
});

test('containers are known by the paths of every runtime', (t) => {
  const names = containerNames();
  const rows: readonly (readonly [string, string | undefined])[] = [
    [`/system.slice/docker-${id}.scope`, 'docker'],
    [`/docker/${id}`, 'docker'],
    [`/kubepods.slice/kubepods-pod1.slice/cri-containerd-${id}.scope`, 'containerd'],
    [`/kubepods.slice/crio-${id}.scope`, 'cri-o'],
    [`/machine.slice/libpod-${id}.scope`, 'podman'],
    [`/kubepods/besteffort/pod${uid}/${id}`, undefined],
  ];
  for (const [path, runtime] of rows) {
    const found = names.resolve(path);
    t.like(found, { kind: 'container', id, name: id.slice(0, 12) }, path);
    t.is(found?.runtime, runtime);
  }
  t.is(names.resolve(`/docker/${id.slice(1)}`), undefined);
});

test('pods are known by their UID, however it is written', (t) => {
  const names = containerNames({ pod: (found) => (found === uid ? 'kube-system/dns' : undefined) });
  const pod = { kind: 'pod', id: uid, name: 'kube-system/dns' };
  t.deepEqual(names.resolve(`/kubepods/burstable/pod${uid}`), pod);
  t.deepEqual(names.resolve(`/kubepods.slice/kubepods-burstable-pod${uid.replaceAll('-', '_')}.slice`), pod);
});

test('two containers of one name stay two, by their ids', (t) => {
  const names = containerNames({ container: () => 'web' });
  const other = 'b'.repeat(64);
  t.like(names.resolve(`/docker/${id}`), { name: 'web', id });
  t.like(names.resolve(`/docker/${other}`), { name: 'web', id: other });
});

test('the first resolver that knows an answer gives it', (t) => {
  const names = firstOf(containerNames(), systemdUnits);
  t.like(names.resolve(`/system.slice/docker-${id}.scope`), { kind: 'container' });
  t.like(names.resolve('/system.slice/docker.service'), { kind: 'unit' });
  t.is(names.resolve('/'), undefined);
  t.is(names.name, 'containers, systemd');
});
