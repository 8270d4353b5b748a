import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readlink, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { SystemCallError } from '@nodecore/sys';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { DeviceNodes, type DeviceRule, Originals } from '../src/index.ts';

const rooted = testWith(root);
const run = promisify(execFile);

const rule = (kernel: string, ...actions: DeviceRule['actions']): DeviceRule => ({
  text: kernel,
  matches: [{ key: 'KERNEL', equal: true, pattern: kernel }],
  actions,
});

/** A machine of its own with nodes that are real, for the kernel's null and zero, and interfaces that are not. */
async function machine(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const [sysfs, dev, etc] = ['sys', 'dev', 'etc'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(join(sysfs, 'dev/char'), { recursive: true });
  await mkdir(join(sysfs, 'class/net'), { recursive: true });
  await mkdir(dev);
  await mkdir(etc);
  await writeFile(join(etc, 'group'), 'root:x:0:\nvideo:x:44:\n');
  const device = async (place: string, name: string, uevent: string, subsystem: string): Promise<void> => {
    const path = join(sysfs, 'devices', name);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'uevent'), uevent);
    await symlink(`/sys/class/${subsystem}`, join(path, 'subsystem'));
    await symlink(path, join(sysfs, place));
  };
  for (const [minor, name] of [
    [3, 'null'],
    [5, 'zero'],
  ] as const) {
    await run('mknod', ['-m', '600', join(dev, name), 'c', '1', String(minor)]);
    await device(`dev/char/1:${minor}`, name, `MAJOR=1\nMINOR=${minor}\nDEVNAME=${name}\n`, 'mem');
  }
  await device('class/net/eth0', 'eth0', 'INTERFACE=eth0\n', 'net');
  const renames: string[] = [];
  const refuse = new Set<string>();
  const file = join(directory, 'originals.json');
  const nodes = (): DeviceNodes =>
    new DeviceNodes({
      sysfs,
      dev,
      etc,
      originals: new Originals(file),
      renameInterface: async (name, next) => {
        if (refuse.has(name)) throw new SystemCallError('SIOCSIFNAME', name, 16);
        renames.push(`${name} ${next}`);
        await unlink(join(sysfs, 'class/net', name));
        await mkdir(join(sysfs, 'devices/renamed', next), { recursive: true });
        await writeFile(join(sysfs, 'devices/renamed', next, 'uevent'), '');
        await symlink('/sys/class/net', join(sysfs, 'devices/renamed', next, 'subsystem')).catch(() => {});
        await symlink(
          next === 'eth0' ? join(sysfs, 'devices/eth0') : join(sysfs, 'devices/renamed', next),
          join(sysfs, 'class/net', next),
        );
      },
    });
  const rights = async (name: string): Promise<string> => {
    const { mode, uid, gid } = await lstat(join(dev, name));
    return `${(mode & 0o7777).toString(8)} ${uid}:${gid}`;
  };
  return { dev, nodes, rights, renames, refuse };
}

rooted('permissions and links are made, the later rule counts, and all of it is given back', async (t) => {
  const { dev, nodes, rights } = await machine(t);
  const rules = [
    rule('null|zero', { key: 'MODE', value: '0640' }, { key: 'SYMLINK', value: 'own/by/%k second' }),
    rule(
      'null',
      { key: 'MODE', value: '660' },
      { key: 'GROUP', value: 'video' },
      { key: 'OWNER', value: '7' },
    ),
  ];
  t.deepEqual(
    (await nodes().apply(rules)).map(({ devices, error }) => [devices, error?.code]),
    [
      [['null', 'zero'], undefined],
      [['null'], undefined],
    ],
  );
  t.deepEqual([await rights('null'), await rights('zero')], ['660 7:44', '640 0:0']);
  t.is(await readlink(join(dev, 'own/by/null')), '../../null');
  t.is(await readlink(join(dev, 'second')), 'zero');
  t.deepEqual(
    (await nodes().apply(rules)).map(({ error }) => error),
    [undefined, undefined],
  );
  // Another process, which has the record alone.
  t.deepEqual(await nodes().apply(rules.slice(0, 0)), []);
  t.deepEqual([await rights('null'), await rights('zero')], ['600 0:0', '600 0:0']);
  t.deepEqual((await readdir(dev)).toSorted(), ['null', 'zero']);
});

rooted('what stands in the place of a link stays, and no link leads through another', async (t) => {
  const { dev, nodes } = await machine(t);
  await writeFile(join(dev, 'taken'), 'mine');
  await symlink('/etc', join(dev, 'elsewhere'));
  await symlink('null', join(dev, 'theirs'));
  const statuses = await nodes().apply(
    ['taken', 'elsewhere/passwd', 'theirs', 'a/$attr{absent}/b', 'null/x'].map((value) =>
      rule('zero', { key: 'SYMLINK', value }),
    ),
  );
  t.deepEqual(
    statuses.map(({ error }) => error?.code),
    ['ERR_HOST_OCCUPIED', 'ERR_HOST_OCCUPIED', 'ERR_HOST_OCCUPIED', 'ERR_HOST_NAME', 'ERR_HOST_OCCUPIED'],
  );
  t.is(await readlink(join(dev, 'theirs')), 'null');
  t.deepEqual((await readdir(dev)).toSorted(), ['elsewhere', 'null', 'taken', 'theirs', 'zero']);
});

rooted("an interface gets its name once, and the kernel's back; one that is up is a reason", async (t) => {
  const { nodes, renames, refuse } = await machine(t);
  const rules = [rule('eth0', { key: 'NAME', value: 'lan0' })];
  refuse.add('eth0');
  const [busy] = await nodes().apply(rules);
  t.regex(busy?.error?.message ?? '', /is up/);
  refuse.clear();
  t.is((await nodes().apply(rules))[0]?.error, undefined);
  t.deepEqual((await nodes().apply(rules))[0]?.devices, ['lan0']);
  await nodes().apply([]);
  t.deepEqual(renames, ['eth0 lan0', 'lan0 eth0']);
  const [wrong, node] = await nodes().apply([
    rule('eth0', { key: 'NAME', value: 'longer-than-a-name' }),
    rule('null', { key: 'NAME', value: 'other' }, { key: 'GROUP', value: 'nobody-has-this' }),
  ]);
  t.deepEqual([wrong?.error?.code, node?.error?.code], ['ERR_HOST_NAME', 'ERR_HOST_VALUE']);
});
