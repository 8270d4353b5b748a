import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';
import { parse } from 'yaml';

import { first, type ServicePlaces } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';
import { startFleet, untilInFleet } from '../src/system/services.ts';
import { freePort } from './agent-node.ts';
import { ClusterHome } from './cluster-home.ts';
import { servedSchematic } from './served-schematic.ts';

/* A start of the node OS by UEFI: of the long campaign. */
const needed = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);
const name = 'claimed';

campaign(
  'a machine that is made for a fleet is told of it before it has a configuration, dials it, and is one of its machines',
  async (t) => {
    t.timeout(580_000);
    const signal = AbortSignal.timeout(550_000);
    const directory = await temporaryDirectory(t);
    const own = new ClusterHome(join(directory, 'home'), signal);
    t.teardown(async () => {
      const late = new ClusterHome(own.path, AbortSignal.timeout(60_000));
      if (existsSync(own.cluster(name))) await late.osctl('cluster', 'destroy', '--name', name);
    });
    for (const each of ['home', 'fleet']) await mkdir(join(directory, each), { mode: 0o700 });
    const places: ServicePlaces = {
      directory,
      releases: join(directory, 'releases'),
      gateway: '10.180.0.1',
      fleetPort: await freePort(),
      factoryPort: 0, // none of this place
    };
    const programs = new Programs(own.path, signal);
    await using _fleet = await startFleet(programs, places);
    const link = parse(await programs.run('fleetctl', 'jointoken', 'machine-config')) as {
      readonly apiUrl: string;
    };
    const url = join(directory, 'join-url');
    await writeFile(url, link.apiUrl, { mode: 0o600 });
    const { url: factory, id } = await servedSchematic(t, directory);
    const image = ['--image-factory-url', factory, '--schematic-id', id, '--os-version', first];
    const machines = `--name ${name} --cidr 10.180.0.0/24 --workers 0 --disks virtio:6GiB`.split(' ');
    const size = '--presets disk-image --cpus-controlplanes 1 --memory-controlplanes 768MiB'.split(' ');
    const made = [...machines, ...size, ...image, '--fleet-api-endpoint', `@${url}`];
    await own.osctl('cluster', 'create', 'vm', ...made);
    const { nodes } = await own.show(name);
    t.deepEqual(
      nodes.map((node) => node.name),
      [`${name}-machine-1`],
    );
    await own.note(name);
    t.is((await untilInFleet(programs, 1, signal)).length, 1);
    await own.osctl('cluster', 'destroy', '--name', name);
    t.deepEqual(own.remains(), []);
  },
);
