import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { KernelSettings, Originals } from '@nodecore/host';

type Place = {
  readonly settings: () => KernelSettings;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly record: string;
  readonly directory: string;
};

/** A directory that stands for /proc/sys; every call of `settings` is another process. */
async function place(t: ExecutionContext): Promise<Place> {
  const top = await mkdtemp(join(tmpdir(), 'settings-'));
  t.teardown(() => rm(top, { recursive: true }));
  const directory = join(top, 'sys');
  const record = join(top, 'originals.json');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), text);
  };
  return {
    settings: () => new KernelSettings({ directory, originals: new Originals(record), followLinks: true }),
    read: async (path) => (await readFile(join(directory, path), 'utf8')).trim(),
    write,
    record,
    directory,
  };
}

test('a setting is written, and gets the value from before the first write back', async (t) => {
  const { settings, write, read } = await place(t);
  await write('vm/swappiness', '60\n');
  const one = settings();
  const [status] = await one.apply(new Map([['vm.swappiness', '10']]));
  t.like(status, { key: 'vm.swappiness', wanted: '10', current: '10', original: '60', error: undefined });
  await one.apply(new Map([['vm.swappiness', '20']]));
  t.is(await read('vm/swappiness'), '20');
  t.deepEqual(await one.apply(new Map()), []);
  t.is(await read('vm/swappiness'), '60');
});

test('a process that begins anew gives back what the one before it wrote', async (t) => {
  const { settings, write, read, record } = await place(t);
  await write('vm/swappiness', '60\n');
  await settings().apply(new Map([['vm/swappiness', '10']]));
  t.deepEqual(JSON.parse(await readFile(record, 'utf8')), { 'vm/swappiness': '60' });
  await settings().apply(new Map());
  t.is(await read('vm/swappiness'), '60');
  await t.throwsAsync(readFile(record), { code: 'ENOENT' });
});

test('a process that is killed between record and write gives back what was there', async (t) => {
  const { settings, write, read, record } = await place(t);
  await write('vm/swappiness', '60\n');
  await writeFile(record, '{"vm/swappiness":"60"}\n');
  const [status] = await settings().apply(new Map([['vm.swappiness', '10']]));
  t.is(status?.original, '60');
  await settings().apply(new Map());
  t.is(await read('vm/swappiness'), '60');
});

test('what is wanted and was there before is not written, and not given back', async (t) => {
  const { settings, write, record } = await place(t);
  await write('net/ipv4/tcp_rmem', '4096\t131072\t6291456\n');
  const [status] = await settings().apply(new Map([['net.ipv4.tcp_rmem', '4096 131072 6291456']]));
  t.like(status, { current: '4096\t131072\t6291456', error: undefined });
  await t.throwsAsync(readFile(record), { code: 'ENOENT' });
});

test('a setting that this kernel does not have has its reason, and the others are made', async (t) => {
  const { settings, write, read } = await place(t);
  await write('vm/swappiness', '60\n');
  const statuses = await settings().apply(
    new Map([
      ['net.absent', '1'],
      ['vm.swappiness', '1'],
    ]),
  );
  t.is(statuses[0]?.error?.code, 'ERR_HOST_NOT_FOUND');
  t.is(statuses[1]?.error, undefined);
  t.is(await read('vm/swappiness'), '1');
});

test('a key never leads out of the directory', async (t) => {
  const { settings, directory } = await place(t);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, '..', 'outside'), 'untouched');
  await symlink('../outside', join(directory, 'link'));
  const keys = ['../outside', 'a/../../outside', '/outside', './outside', 'link', 'x\n'];
  const statuses = await settings().apply(new Map(keys.map((key) => [key, '1'])));
  for (const { key, error } of statuses) t.is(error?.code, 'ERR_HOST_NAME', key);
  t.is(await readFile(join(directory, '..', 'outside'), 'utf8'), 'untouched');
});

test('the chosen one of several is what is compared and given back', async (t) => {
  const { settings, write, record } = await place(t);
  await write('block/sda/queue/scheduler', 'none [mq-deadline] kyber\n');
  const one = settings();
  await one.apply(new Map([['block/sda/queue/scheduler', 'kyber']]));
  t.deepEqual(JSON.parse(await readFile(record, 'utf8')), { 'block/sda/queue/scheduler': 'mq-deadline' });
});

test('a setting that went with its device is not given back, and not remembered', async (t) => {
  const { settings, write, directory, record } = await place(t);
  await write('net/ipv4/conf/eth0.100/forwarding', '0\n');
  const one = settings();
  await one.apply(new Map([['net/ipv4/conf/eth0.100/forwarding', '1']]));
  await rm(join(directory, 'net'), { recursive: true });
  t.deepEqual(await one.apply(new Map()), []);
  await t.throwsAsync(readFile(record), { code: 'ENOENT' });
});

test('the record is kept before the kernel is asked', async (t) => {
  const { settings, write, record } = await place(t);
  await write('vm/swappiness', '60\n');
  await mkdir(`${record}.part/full`, { recursive: true }); // the record can't be written
  const one = settings();
  await t.throwsAsync(one.apply(new Map([['vm.swappiness', '10']])));
  t.false(await new Originals(record).all().then((all) => all.has('vm/swappiness')));
  t.true((await readFile(join(record, '..', 'sys/vm/swappiness'), 'utf8')) === '60\n');
});
