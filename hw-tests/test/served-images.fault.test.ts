import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type BootSource, Machine } from '@nodecore/machine';
import { output } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { installServed } from './served-install.ts';
import { ServedImages, type ServedSchematic } from './served-images.ts';
import {
  above,
  diskOf,
  type NodeChanges,
  servedNode,
  showsExtensions,
  untilMaintenance,
} from './served-node.ts';

/* What a factory serves is downloaded and started as it is. Each takes up to a minute, so all of them are the long campaign. */
const campaign = process.env['FAULT_CAMPAIGN'] === 'long' ? test.serial : test.serial.skip;

const ends: (() => unknown)[] = [];
let started: Promise<ServedImages> | undefined;
const images = (): Promise<ServedImages> =>
  (started ??= ServedImages.start({ teardown: (end) => void ends.push(end) }));
test.after.always(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A node that was started shows in maintenance, to who has no certificate, of which schematic it is and with what. */
async function shows(t: ExecutionContext, schematic: ServedSchematic, changes: NodeChanges): Promise<void> {
  const { ids } = await images();
  const { directory, spec, get } = await servedNode(t, changes);
  await using machine = await Machine.open(spec, { directory });
  await untilMaintenance(machine, directory);
  await showsExtensions(t, () => get('extensions'), { id: ids[schematic], machine });
  const isSecure = /"secureBoot": ?"enabled"/.test(await get('securitystate'));
  t.is(isSecure, schematic === 'secure', 'whether the firmware takes what is signed, and nothing else');
  await machine.powerOff({ graceMs: 30_000 });
}

function row(
  title: string,
  schematic: ServedSchematic,
  changes: (served: ServedImages) => Promise<NodeChanges>,
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

row('the served ISO starts by a BIOS where the schematic says nothing of it', 'plain', async (served) => ({
  firmware: 'bios',
  boot: { kind: 'iso', file: await served.download('metal-amd64.iso', 'plain') },
}));

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

for (const [name, format] of [
  ['qcow2', 'qcow2'],
  ['vhd', 'vpc'],
] as const)
  for (const firmware of ['bios', 'uefi'] as const)
    row(`the served ${name} starts by ${firmware}`, 'both', async (served) => ({
      firmware,
      ...(await above(await served.download(`metal-amd64.${name}`, 'both'), format)),
    }));

row(
  'the served machine for VMware starts from its disk, which is as its description says',
  'both',
  async (served) => {
    const file = await served.download('metal-amd64.ova', 'both');
    const directory = dirname(file);
    await output(['tar', '--extract', '--file', file, '--directory', directory]);
    const digests = await readFile(join(directory, 'disk.mf'), 'utf8');
    const lines = digests.replaceAll(
      /^SHA256\((?<name>.*)\)= (?<digest>.*)$/gmu,
      `$<digest>  ${directory}/$<name>`,
    );
    await output(['sha256sum', '--check', '--strict'], { input: Buffer.from(lines) });
    return await above(join(directory, 'disk.vmdk'), 'vmdk');
  },
);

row('the served image for UEFI starts by itself', 'both', async (served) => ({
  boot: { kind: 'uki', file: await served.download('metal-amd64-uki.efi', 'both') },
}));

row('the served kernel starts with its first filesystem and its command line', 'both', async (served) => {
  const kernel = await served.download('kernel-amd64', 'both');
  const initrd = await served.download('initramfs-amd64.xz', 'both');
  const words = await readFile(await served.download('cmdline-metal-amd64', 'both'), 'utf8');
  const boot: BootSource = { kind: 'kernel', kernel, initrd, arguments: words };
  return { firmware: 'bios', boot };
});

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

/** Firmware that knows Secure Boot and has no keys. */
const setupMode = {
  firmware: 'uefi-secure-boot',
  variableStore: { from: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
} as const;

row('the served CD for Secure Boot enrolls its keys, and starts under them', 'secure', async (served) => ({
  ...setupMode,
  boot: { kind: 'iso', file: await served.download('metal-amd64-secureboot.iso', 'secure') },
}));

row('the served disk for Secure Boot enrolls its keys, and starts under them', 'secure', async (served) => ({
  ...setupMode,
  ...(await diskOf(await served.download('metal-amd64-secureboot.raw', 'secure'))),
}));

campaign(
  'a BIOS that was started from the served CD installs what the factory serves, starts that from its disk, and halts when it finds the CD again',
  async (t) => {
    t.timeout(500_000);
    await installServed(t, await images());
  },
);
