import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleSays, Machine } from '@nodecore/machine';
import type { ExecutionContext } from 'ava';

import { nodeSecrets } from '../src/node/credentials.ts';
import { first } from '../src/system/places.ts';
import { osctlHere } from './osctl.ts';
import type { ServedImages } from './served-images.ts';
import { servedNode, showsExtensions, untilMaintenance, untilSaid } from './served-node.ts';

/**
 * A machine with a BIOS starts from the CD, is told in maintenance to install the factory's own installer image, and starts
 * that from its disk, the CD being out. With the CD in it again it halts.
 */
export async function installServed(t: ExecutionContext, served: ServedImages): Promise<void> {
  const medium = await served.download('metal-amd64.iso', 'both');
  const system = { driver: 'virtio', sizeBytes: 4 * 1024 ** 3, serial: 'SYSTEM' } as const;
  const { directory, spec, port, get } = await servedNode(t, {
    firmware: 'bios',
    disks: [system],
    reachesFactory: true,
  });
  const { controlplane, osconfig } = await nodeSecrets('virtual-node', directory, port);
  const fromMedium = { ...spec, boot: { kind: 'iso', file: medium } } as const;
  {
    await using machine = await Machine.open(fromMedium, { directory });
    await untilMaintenance(machine, directory);
    await showsExtensions(t, () => get('extensions'), { id: served.ids.both, machine });
    const path = join(directory, 'node.yaml');
    await writeFile(path, `${await readFile(controlplane, 'utf8')}${documents(served)}`, { mode: 0o600 });
    const osctl = osctlHere(osconfig);
    const words = ['apply-config', '--insecure', '-f', path];
    const { code, stderr } = await osctl('-n', `127.0.0.1:${port}`, ...words);
    t.is(code, 0, stderr);
    await consoleSays(directory, 'nodecore: the machine is installed', AbortSignal.timeout(500_000));
    await machine.stopped();
    t.is(machine.reason, 'guest-reset');
  }
  {
    await using machine = await Machine.open(spec, { directory });
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: configuration is active', AbortSignal.timeout(500_000));
    await showsExtensions(t, () => get('extensions', osconfig), { id: served.ids.both, machine });
    // The boot menu on its disk has what runs: a CD has none.
    const entry = await untilSaid(machine, '"version"', () => get('bootedentry', osconfig));
    t.regex(entry, new RegExp(`"version": ?"${first.replaceAll('.', '\\.')}"`));
    await machine.powerOff({ graceMs: 30_000 });
  }
  await using machine = await Machine.open(fromMedium, { directory });
  await machine.powerOn();
  await consoleSays(
    directory,
    'os.halt_if_installed: the machine stays as it is',
    AbortSignal.timeout(500_000),
  );
}

function documents(served: ServedImages): string {
  return `---
apiVersion: v1alpha1
kind: UnattendedInstallConfig
installer: {image: "${served.installerReference()}"}
provisioning:
  diskSelector: {match: disk.serial == "SYSTEM"}
---
apiVersion: v1alpha1
kind: TimeSyncConfig
enabled: false
`;
}
