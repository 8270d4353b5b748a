import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { ClusterView } from '@nodecore/clusters';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../../lab/machine/test/guests.ts';
import { osctl as osctlAt, type Outcome, type RunOptions } from './command-line.ts';
import { launchServer } from './remote-server.ts';

/** With a client config of the test's own. */
function inHome(home: string): (args: readonly string[], options?: RunOptions) => Promise<Outcome> {
  return async (args, options = {}) => await osctlAt(args, { ...options, env: { HOME: home } });
}

const all = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));

all(
  'a cluster is made, shown, stopped, started and destroyed from afar, and its logs come back',
  async (t) => {
    const home = await temporaryDirectory(t);
    const osctl = inHome(home);
    await tinyMachine(home, 'deaf');
    const { flags, directory } = await launchServer(t);
    const number = 1 + (process.pid % 250);
    const of = ['--name', 'afar', ...flags];
    t.teardown(() => osctl(['cluster', 'destroy', '--force', ...of]));
    const machines =
      '--presets=disk-image,maintenance --with-uefi=false --accelerator=tcg --disks=virtio:4MiB --workers=0 --memory-controlplanes=512MiB';
    const image = ['--disk-image-path', join(home, 'boot.disk'), `--cidr=10.${number}.9.0/24`];
    const made = await osctl([
      'cluster',
      'create',
      'vm',
      ...machines.split(' '),
      ...image,
      '-o',
      'json',
      ...of,
    ]);
    t.is(made.code, 0, made.error);
    t.regex(made.error, /boot\.disk is there .*afar-controlplane-1 is on/s);
    t.regex(made.error, /afar-controlplane-1 stays in maintenance; its configuration is .*\.yaml\n/);
    const contexts = async (): Promise<string> => await readFile(join(home, '.os/config'), 'utf8');
    t.regex(await contexts(), /^ {2}afar:$/m, 'who is to configure it has its administrator');
    const view = JSON.parse(made.out) as ClusterView;
    t.like(view, { name: 'afar', phase: 'running', kept: true });
    const [artifact = ''] = await readdir(join(directory, 'artifacts'));
    t.deepEqual(
      await readFile(join(directory, 'artifacts', artifact)),
      await readFile(join(home, 'boot.disk')),
    );

    // The doors are there as here; nothing listens behind them in a machine without an API.
    const closing = new AbortController();
    const opened = Promise.withResolvers<void>();
    const doors = osctl(['cluster', 'doors', ...of], {
      signal: closing.signal,
      onError: (error) => {
        if (error !== '') opened.resolve();
      },
    });
    await Promise.race([opened.promise, doors]);
    closing.abort(new Error('interrupted'));
    const { error: taken } = await doors;
    t.regex(taken, /127\.\d+\.9\.2:50000: /, 'the server of this test is on the same computer, and has them');

    t.is((await osctl(['cluster', 'stop', '--grace-period=0', ...of])).code, 0);
    const stopped = await osctl(['cluster', 'show', '-o', 'json', ...of]);
    t.like(JSON.parse(stopped.out), { phase: 'stopped' });
    const started = await osctl(['cluster', 'start', ...of]);
    t.is(started.code, 0, started.error);
    const archive = join(home, 'logs.tar.gz');
    const gone = await osctl(['cluster', 'destroy', '--save-cluster-logs-archive-path', archive, ...of]);
    t.is(gone.code, 0, gone.error);
    t.notRegex(await contexts(), /afar:/);
    t.true(gunzipSync(await readFile(archive)).includes('afar/keeper.log'));
    t.is((await stat(archive)).mode & 0o777, 0o600);
    t.false(existsSync(join(directory, 'clusters', 'afar')));
    const [kept = ''] = await readdir(join(directory, 'archives'));
    t.regex(kept, /^afar-\d{8}T\d+$/);
    const [address = '', port = ''] = (view.nodes[0]?.api ?? '').split(':');
    const socket = connect({ host: address, port: Number(port) });
    await t.throwsAsync(once(socket, 'connect'), { code: 'ECONNREFUSED' });
  },
);

all(
  'a developer’s machine is made from afar, starts from a kernel that is brought, and the next time from the one that it was synced to',
  async (t) => {
    const home = await temporaryDirectory(t);
    const osctl = inHome(home);
    const [kernel, initrd] = ['kernel', 'initrd'].map((name) => join(home, name)) as [string, string];
    await writeFile(kernel, emptyKernel());
    await writeFile(initrd, 'of yesterday');
    const { flags, directory } = await launchServer(t);
    const number = 1 + (process.pid % 250);
    const of = ['--name', 'kernel', ...flags];
    t.teardown(() => osctl(['cluster', 'destroy', '--force', ...of]));
    const files = ['--vmlinuz-path', kernel, '--initrd-path', initrd];
    const machines =
      '--skip-injecting-config --with-uefi=false --accelerator=tcg --disk=4 --disk-preallocate=false --workers=0 --memory=512MiB';
    const cidr = `--cidr=10.${number}.8.0/24`;
    const create = ['cluster', 'create', 'dev', ...machines.split(' '), cidr, ...files, ...of];
    const made = await osctl(create);
    t.is(made.code, 0, made.error);
    t.regex(made.error, /kernel is there .*initrd is there .*kernel-controlplane-1 is on/s);
    const own = join(directory, 'clusters', 'kernel');
    const started = async () => {
      const programs = (await readFile(join(own, 'nodes/1/machine.programs'), 'utf8')).trim().split('\n');
      const { pid } = JSON.parse(programs.at(-1) ?? '') as { readonly pid: number };
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
      return { pid, initrd: await readFile(words[words.indexOf('-initrd') + 1] ?? '', 'utf8') };
    };
    const before = await started();
    t.is(before.initrd, 'of yesterday');

    const sync = ['cluster', 'sync', ...files, ...of];
    t.is((await osctl(sync)).out, 'kernel already up to date\ninitrd already up to date\n');
    await writeFile(initrd, 'of today');
    t.is((await osctl(sync)).out, 'kernel already up to date\ninitrd synced\n');
    t.is((await started()).pid, before.pid, 'it runs on');
    t.is((await osctl(['cluster', 'reboot', ...of])).code, 0);
    const after = await started();
    t.not(after.pid, before.pid);
    t.is(after.initrd, 'of today');
    const same = await osctl([...sync, '-o', 'json']);
    t.deepEqual(JSON.parse(same.out), { kernel: false, initrd: false });
    const absent = await osctl(['cluster', 'sync', '--vmlinuz-path', join(home, 'none'), ...of]);
    t.is(absent.code, 2);
    t.regex(absent.error, /--vmlinuz-path: ENOENT/);

    const gone = await osctl(['cluster', 'destroy', ...of]);
    t.is(gone.code, 0, gone.error);
    t.false(existsSync(own));
  },
);

/** What QEMU takes for a kernel, and a BIOS starts for nothing. */
function emptyKernel(): Buffer {
  const image = Buffer.alloc(8192);
  image.writeUInt8(1, 0x1f1); // sectors of its setup
  image.writeUInt16LE(0xaa55, 0x1fe);
  image.write('HdrS', 0x202, 'latin1');
  image.writeUInt16LE(0x020c, 0x206);
  image.writeUInt8(1, 0x211); // it is loaded high
  image.writeUInt32LE(0x7fffffff, 0x22c);
  image.writeUInt32LE(2047, 0x238);
  Buffer.from('f4ebfd', 'hex').copy(image, 1024); // halts
  return image;
}
