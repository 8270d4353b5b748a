import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { KernelModules, moduleName, parseModules } from '@nodecore/host';

// Debian's 6.12
const loaded = `xfs 2400256 1 - Live 0x0000000000000000
libcrc32c 12288 2 xfs,nf_tables, Live 0x0000000000000000
dm_mod 200704 0 - Loading 0x0000000000000000 (E)
`;
const builtin = 'kernel/drivers/char/tpm/tpm-tis.ko\nkernel/fs/binfmt_script.ko\n';

async function host(t: ExecutionContext, says = ''): Promise<{ modules: KernelModules; asked: string[][] }> {
  const directory = await mkdtemp(join(tmpdir(), 'modules-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'loaded'), loaded);
  await writeFile(join(directory, 'modules.builtin'), builtin);
  const asked: string[][] = [];
  const modprobe = (words: readonly string[]): Promise<unknown> => {
    asked.push([...words]);
    return says === '' ? Promise.resolve() : Promise.reject(Object.assign(new Error('1'), { stderr: says }));
  };
  return { modules: new KernelModules({ loaded: join(directory, 'loaded'), directory, modprobe }), asked };
}

test('loaded and built-in modules are listed together, by the names of the kernel', async (t) => {
  const { modules } = await host(t);
  const list = await modules.list();
  t.deepEqual([...list.keys()], ['binfmt_script', 'dm_mod', 'libcrc32c', 'tpm_tis', 'xfs']);
  t.deepEqual(list.get('libcrc32c'), {
    name: 'libcrc32c',
    state: 'live',
    sizeBytes: 12_288,
    references: 2,
    users: ['xfs', 'nf_tables'],
  });
  t.is(list.get('dm_mod')?.state, 'loading');
  t.is(list.get('tpm_tis')?.state, 'builtin');
  t.deepEqual(parseModules(''), []);
});

test('modprobe gets name and parameters as words that are no options', async (t) => {
  const { modules, asked } = await host(t);
  await modules.load('nf-conntrack', ['hashsize=4096', '-r']);
  t.deepEqual(asked, [['--', 'nf_conntrack', 'hashsize=4096', '-r']]);
});

test('what is loaded or built in is not asked for again', async (t) => {
  const { modules, asked } = await host(t);
  await modules.load('tpm-tis');
  await modules.load('xfs', ['debug=1']);
  t.deepEqual(asked, []);
});

test('what modprobe says becomes a code', async (t) => {
  const said: readonly (readonly [string, string])[] = [
    ['modprobe: FATAL: Module absent not found in directory /lib/modules/6.12', 'ERR_HOST_NOT_FOUND'],
    ["modprobe: ERROR: could not insert 'absent': Operation not permitted", 'ERR_HOST_DENIED'],
    ["modprobe: ERROR: could not insert 'absent': Key was rejected by service", 'ERR_HOST_DENIED'],
    ["modprobe: ERROR: could not insert 'absent': Required key not available", 'ERR_HOST_DENIED'],
    ["modprobe: ERROR: could not insert 'absent': Invalid argument", 'ERR_HOST_VALUE'],
    ["modprobe: ERROR: could not insert 'absent': No such device", 'ERR_HOST_FAILED'],
  ];
  for (const [says, code] of said) {
    const { modules } = await host(t, says);
    await t.throwsAsync(modules.load('absent'), { code }, says);
  }
});

test('a name that is none is refused before anything runs', async (t) => {
  const { modules, asked } = await host(t);
  for (const name of ['', '-r', '../x', 'a b', 'a\n', 'x'.repeat(57)])
    await t.throwsAsync(modules.load(name), { code: 'ERR_HOST_NAME' }, name);
  t.deepEqual(asked, []);
  t.is(moduleName('virtio-net'), 'virtio_net');
});
