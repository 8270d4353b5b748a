import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleSays, consoleTail, Machine, type MachineSpec } from '@nodecore/machine';
import { output, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { freePort } from './agent-node.ts';
import { osctlHere } from './osctl.ts';
import { ServedImages } from './served-images.ts';
import { extension } from './served-release.ts';

/* What a factory serves is downloaded and started as it is. Each takes up to a minute, so all of them are the long campaign. */
const campaign = process.env['FAULT_CAMPAIGN'] === 'long' ? test.serial : test.serial.skip;

const ends: (() => unknown)[] = [];
let started: Promise<ServedImages> | undefined;
const images = (): Promise<ServedImages> =>
  (started ??= ServedImages.start({ teardown: (end) => void ends.push(end) }));
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

type Changes = Partial<MachineSpec> & { readonly bootFile?: string };

/** A node that was started shows in maintenance, to who has no certificate, of which schematic it is and with what. */
async function shows(
  t: ExecutionContext,
  schematic: 'both' | 'secure',
  { bootFile, ...changes }: Changes,
): Promise<void> {
  const { ids } = await images();
  const directory = await temporaryDirectory(t);
  const port = await freePort();
  const forwards = [{ host: port, guest: 50_000 }];
  const backend = { kind: 'user', restricted: bootFile === undefined, forwards } as const;
  const spec: MachineSpec = {
    name: 'served',
    uuid: randomUUID(),
    firmware: 'uefi',
    tpm: 'none',
    memoryMib: 1024,
    cpus: 2,
    durability: 'none',
    disks: [],
    nics: [{ backend: { ...backend, ...(bootFile !== undefined && { bootFile }) } }],
    ...changes,
  };
  await using machine = await Machine.open(spec, { directory });
  t.teardown(async () => {
    if (!t.passed) t.log(await consoleTail(directory));
  });
  await untilMaintenance(machine, directory);
  const osctl = osctlHere(join(directory, 'osconfig'));
  const get = async (type: string): Promise<string> =>
    (await osctl('-n', `127.0.0.1:${port}`, 'get', type, '--insecure', '-o', 'json')).stdout;
  let found = await get('extensions');
  while (!found.includes(ids[schematic]) && machine.state === 'running') found = await get('extensions'); // no address yet
  t.true(found.includes(ids[schematic]), 'the schematic');
  t.true(found.includes(`"${extension}"`), found);
  const isSecure = /"secureBoot": ?"enabled"/.test(await get('securitystate'));
  t.is(isSecure, schematic === 'secure', 'whether the firmware takes what is signed, and nothing else');
  await machine.powerOff({ graceMs: 30_000 });
}

/** A boot loader that has enrolled keys starts the machine anew. */
async function untilMaintenance(machine: Machine, directory: string): Promise<void> {
  const signal = AbortSignal.timeout(200_000);
  for (;;) {
    await machine.powerOn();
    const over = new AbortController();
    const said = consoleSays(directory, 'maintenance on port', AbortSignal.any([signal, over.signal])).then(
      () => true,
      () => false,
    );
    const isThere = await Promise.race([said, machine.stopped().then(() => false)]);
    over.abort();
    await said;
    if (isThere) return;
    signal.throwIfAborted();
    if (machine.reason !== 'guest-reset') throw new Error(`the machine went off: ${machine.reason}`);
  }
}

/** A machine with a downloaded image as its only disk. */
async function diskOf(file: string, format?: 'qcow2'): Promise<Partial<MachineSpec>> {
  const { size: sizeBytes } = await stat(file);
  return { disks: [{ driver: 'virtio', sizeBytes, serial: 'SYSTEM', file, ...(format && { format }) }] };
}

/** A disk whose writes go elsewhere, and whose content is read from the image by QEMU itself. */
async function above(file: string, format: string): Promise<Partial<MachineSpec>> {
  const disk = `${file}.above`;
  await output(['qemu-img', 'create', '-q', '-f', 'qcow2', '-b', file, '-F', format, disk]);
  return await diskOf(disk, 'qcow2');
}

function row(
  title: string,
  schematic: 'both' | 'secure',
  changes: (served: ServedImages) => Promise<Changes>,
): void {
  campaign(title, async (t) => {
    t.timeout(300_000);
    await shows(t, schematic, await changes(await images()));
  });
}

for (const kind of ['iso', 'usb'] as const)
  for (const firmware of ['bios', 'uefi'] as const)
    row(
      `the served ISO starts by ${firmware} as ${kind === 'iso' ? 'a CD' : 'a USB stick'}`,
      'both',
      async (served) => {
        const file = await served.download('metal-amd64.iso', 'both');
        return { firmware, boot: { kind, file } };
      },
    );

for (const firmware of ['bios', 'uefi'] as const)
  row(`the served disk starts by ${firmware}`, 'both', async (served) => ({
    firmware,
    ...(await diskOf(await served.download('metal-amd64.raw', 'both'))),
  }));

row('the served disk, compressed, starts when zstd has written it', 'both', async (served) => {
  const file = await served.download('metal-amd64.raw.zst', 'both');
  const disk = file.replace(/\.raw\.zst$/, '.unpacked');
  await output(['zstd', '-d', '-q', '-f', file, '-o', disk]);
  return await diskOf(disk);
});

row('the served qcow2 starts by uefi', 'both', async (served) =>
  above(await served.download('metal-amd64.qcow2', 'both'), 'qcow2'),
);

row('the served script starts a BIOS from the network', 'both', async (served) => ({
  firmware: 'bios',
  boot: { kind: 'network' },
  bootFile: served.scriptUrl(),
}));

row(
  'the served image for UEFI starts where nothing else than what is signed does',
  'secure',
  async (served) => ({
    firmware: 'uefi-secure-boot',
    variableStore: { from: await served.enrolled() },
    boot: { kind: 'uki', file: await served.download('metal-amd64-secureboot-uki.efi', 'secure') },
  }),
);
