import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { connect } from '@nodecore/api';
import { consoleTail, Machine, type MachineSpec } from '@nodecore/machine';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { first, type ServicePlaces } from '../src/system/places.ts';
import { type Ended, Programs } from '../src/system/programs.ts';
import { startFleet } from '../src/system/services.ts';
import { freePort } from './agent-node.ts';
import { ServedImages } from './served-images.ts';

/* Two boots of the node OS each: the long campaign. A machine that is told to install itself by a configuration: install.vm.test.ts. */
const needed = testWith(program('qemu-system-x86_64'), program('mksquashfs'));
const campaign: typeof needed =
  process.env['FAULT_CAMPAIGN'] === 'long' ? needed : (title, body) => test.skip(title, body);
const pollMs = 1000;

type Medium = Pick<MachineSpec, 'firmware' | 'boot' | 'variableStore'> & { readonly bootFile?: string };

/** A fleet, and a factory whose images begin with its join configuration. */
async function fleetAndImages(
  t: ExecutionContext,
  signal: AbortSignal,
): Promise<{ readonly programs: Programs; readonly images: ServedImages }> {
  const directory = await temporaryDirectory(t);
  const places: ServicePlaces = {
    directory,
    releases: join(directory, 'releases'),
    gateway: '10.0.2.2', // of QEMU's own network
    fleetPort: await freePort(),
    factoryPort: 0, // none of this place
  };
  for (const name of ['home', 'fleet']) await mkdir(join(directory, name), { mode: 0o700 });
  const programs = new Programs(join(directory, 'home'), signal);
  const fleet = await startFleet(programs, places);
  t.teardown(() => fleet[Symbol.asyncDispose]());
  const images = await ServedImages.start(t, await programs.run('fleetctl', 'jointoken', 'machine-config'));
  await programs.run('fleetctl', 'osconfig');
  return { programs, images };
}

/** A machine with a blank disk that was started from a medium is told by a call to install itself, and starts from its disk. */
async function installs(
  t: ExecutionContext,
  medium: (images: ServedImages) => Promise<Medium>,
): Promise<void> {
  const signal = AbortSignal.timeout(560_000);
  const { programs, images } = await fleetAndImages(t, signal);
  const [directory, port] = [await temporaryDirectory(t), await freePort()];
  const { bootFile, ...start } = await medium(images);
  const forwards = [{ host: port, guest: 50_000 }];
  const backend = { kind: 'user', restricted: false, forwards, ...(bootFile && { bootFile }) } as const;
  const { boot, ...spec } = {
    name: 'install-by-api',
    uuid: randomUUID(),
    tpm: 'none',
    memoryMib: 1024,
    cpus: 2,
    durability: 'none',
    disks: [{ driver: 'virtio', sizeBytes: 4 * 1024 ** 3, serial: 'SYSTEM' }],
    nics: [{ backend }],
    ...start,
  } satisfies MachineSpec;
  t.teardown(async () => {
    if (!t.passed) t.log(await consoleTail(directory));
  });
  const machine = await Machine.open({ ...spec, ...(boot && { boot }) }, { directory });
  t.teardown(() => machine.close());
  await machine.powerOn();
  const id = await onlyMachine(programs, signal);
  const osctl = (...words: readonly string[]): Promise<Ended> =>
    programs.try('osctl', '--context', 'fleet', '-n', id, ...words);
  while ((await osctl('version')).code !== 0) await systemClock.sleep(pollMs, signal);

  const order = ['install', '--image', images.installerReference(), '--disk', '/dev/vda'] as const;
  using stranger = connect({ endpoint: `127.0.0.1:${port}`, insecure: true });
  const denied = stranger.install({
    source: { imageName: images.installerReference() },
    destination: { disk: '/dev/vda' },
  });
  await t.throwsAsync(
    denied[Symbol.asyncIterator]().next(),
    { code: 'ERR_API_DENIED' },
    'who is not of the fleet',
  );
  const installing = osctl(...order);
  const early = await Promise.race([machine.stopped().then(() => undefined), installing]);
  t.is(early?.stderr, undefined);
  t.is(machine.reason, 'guest-reset');
  // The order of a BIOS has no second place: its medium is taken out.
  await machine.close();
  const again = await Machine.open(
    { ...spec, ...(spec.firmware !== 'bios' && boot && { boot }) },
    { directory },
  );
  t.teardown(() => again.close());
  await again.powerOn();
  const { code, stdout, stderr } = await installing;
  t.is(code, 0, stderr);
  t.regex(stdout, new RegExp(`: is back, in maintenance: ${first.replaceAll('.', '\\.')}\\n$`));

  const booted = await osctl('get', 'bootedentry', '-o', 'yaml');
  t.regex(booted.stdout, /entry: nodeos-1\.14\.0~alpha\.0-1\.efi/, booted.stderr);
  t.regex(booted.stdout, /startedBy: firmware/);
  t.is(
    await onlyMachine(programs, signal),
    id,
    'the fleet knows it by the key that it had before it was installed',
  );
  t.regex((await osctl(...order)).stderr, /the system is installed on /);
  await again.powerOff({ graceMs: 60_000 });
}

/** The id of the machine in the fleet, as soon as there is one. */
async function onlyMachine(programs: Programs, signal: AbortSignal): Promise<string> {
  for (;;) {
    const text = await programs.run('fleetctl', 'get', 'machines', '-o', 'json');
    const ids = new Set(text.match(/[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g));
    if (ids.size > 1) throw new Error(`it is several machines: ${[...ids].join()}`);
    for (const id of ids) return id;
    await systemClock.sleep(pollMs, signal);
  }
}

campaign(
  'a machine that UEFI started from a CD is installed by a call through its fleet, and starts from its disk as the machine that it was',
  async (t) => {
    t.timeout(600_000);
    await installs(t, async (images) => {
      const file = await images.download('metal-amd64.iso', 'both');
      return { firmware: 'uefi', variableStore: {}, boot: { kind: 'iso', file, after: 'disk' } };
    });
  },
);

campaign(
  'a machine that a BIOS started from the network is installed by a call through its fleet, and starts from its disk as the machine that it was',
  async (t) => {
    t.timeout(600_000);
    await installs(t, async (images) => {
      return { firmware: 'bios', boot: { kind: 'network' }, bootFile: images.scriptUrl() };
    });
  },
);
