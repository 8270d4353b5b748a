import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { program, testWith } from '@nodecore/testkit';
import test from 'ava';

const unit = fileURLToPath(new URL('../nodecore-agent.service', import.meta.url));

async function settings(): Promise<readonly (readonly [string, string])[]> {
  const lines = (await readFile(unit, 'utf8')).split('\n').filter((line) => /^[A-Z]/u.test(line));
  return lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

/** Each gives a service a mount namespace whose mounts nobody else sees (systemd.exec(5), MountFlags). */
const mountNamespace =
  /^(?:Protect(?:System|Home|KernelTunables|KernelModules|KernelLogs|ControlGroups|Proc)|ProcSubset|Private(?:Tmp|Devices|IPC|Users|Network|Mounts)|Root\w+|MountFlags|\w+Paths|BindPaths|TemporaryFileSystem|DynamicUser|MountImages|ExtensionImages)$/u;

/** Each lets a service open the devices of a list alone; ProtectClock puts the clock into one (systemd#18142). */
const deviceList = /^(?:Device(?:Allow|Policy)|ProtectClock|PrivateDevices)$/u;

test('the unit has nothing that hides what the agent mounts, or keeps it from a disk', async (t) => {
  const names = (await settings()).map(([name]) => name);
  t.true(names.length > 20);
  t.deepEqual(
    names.filter((name) => mountNamespace.test(name) || deviceList.test(name)),
    [],
  );
  t.false(names.includes('RestrictSUIDSGID'), 'it refuses openat2, by which names of users are opened');
});

test('the unit keeps what keeps secrets in and the clock of the host as it is', async (t) => {
  const all = await settings();
  const has = (name: string, value: string): boolean =>
    all.some(([each, text]) => each === name && text === value);
  for (const [name, value] of [
    ['LimitCORE', '0'],
    ['MemorySwapMax', '0'],
    ['NoNewPrivileges', 'yes'],
    ['RestrictNamespaces', 'yes'],
    ['LockPersonality', 'yes'],
  ] as const)
    t.true(has(name, value), name);
  const capabilities = all.flatMap(([name, value]) =>
    name === 'CapabilityBoundingSet' ? value.split(' ') : [],
  );
  t.false(capabilities.some((each) => each.startsWith('~')));
  for (const each of ['CAP_SYS_TIME', 'CAP_SYS_RAWIO', 'CAP_BPF', 'CAP_MAC_ADMIN', 'CAP_SYS_CHROOT'])
    t.false(capabilities.includes(each), each);
  t.true(capabilities.includes('CAP_SETPCAP'), 'without it nothing can be taken from etcd');
});

testWith(program('systemd-analyze'))('systemd finds the unit no more exposed than it was made', (t) => {
  const { status, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', '--threshold=72', unit],
    { encoding: 'utf8' },
  );
  t.is(status, 0, stdout);
  t.notRegex(stdout, /Unknown|Failed to parse/u);
});
