import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { ClusterView } from '@nodecore/clusters';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../../lab/machine/test/guests.ts';
import { osctl } from './command-line.ts';
import { launchServer } from './remote-server.ts';

const all = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));

all(
  'a cluster is made, shown, stopped, started and destroyed from afar, and its logs come back',
  async (t) => {
    const home = await temporaryDirectory(t);
    await tinyMachine(home, 'deaf');
    const { flags, directory } = await launchServer(t);
    const number = 1 + (process.pid % 250);
    const of = ['--name', 'afar', ...flags];
    t.teardown(() => osctl(['cluster', 'destroy', '--force', ...of]));
    const machines =
      '--presets=disk-image,maintenance --with-uefi=false --disks=virtio:4MiB --workers=0 --memory-controlplanes=512MiB';
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
    t.true(gunzipSync(await readFile(archive)).includes('afar/keeper.log'));
    t.is((await stat(archive)).mode & 0o777, 0o600);
    t.false(existsSync(join(directory, 'clusters', 'afar')));
    t.deepEqual(
      (await readdir(directory)).filter((name) => name.startsWith('tmp-')),
      [],
    );
    const [address = '', port = ''] = (view.nodes[0]?.api ?? '').split(':');
    const socket = connect({ host: address, port: Number(port) });
    await t.throwsAsync(once(socket, 'connect'), { code: 'ECONNREFUSED' });
  },
);
