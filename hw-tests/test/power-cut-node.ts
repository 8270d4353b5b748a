import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BootSource, MachineSpec } from '@nodecore/machine';
import { stringify } from 'yaml';

import type { ServicePlaces } from '../src/system/places.ts';
import type { Programs } from '../src/system/programs.ts';
import { factoryUrl } from '../src/system/services.ts';

/** As a node of a local cluster, in QEMU's own network. */
export function machineSpec(port: number, diskBytes: number): MachineSpec {
  return {
    name: 'power-cuts',
    uuid: randomUUID(),
    firmware: 'uefi-secure-boot',
    variableStore: { from: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
    tpm: 'crb',
    pcrBanks: ['sha256'],
    memoryMib: 768,
    cpus: 1, // an emulated second one costs Node more in locks than it gives
    disks: [{ driver: 'virtio', sizeBytes: diskBytes, serial: 'SYSTEM' }],
    nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
  };
}

/** The same without firmware and Secure Boot: QEMU loads the kernel. */
export function directMachineSpec(port: number, diskBytes: number, boot: BootSource): MachineSpec {
  const { variableStore: _, ...spec } = machineSpec(port, diskBytes);
  return { ...spec, firmware: 'bios', boot };
}

/** What the node gets. */
export function configurationFile({ directory }: ServicePlaces): string {
  return join(directory, 'controlplane.yaml');
}

/** Makes the configuration of a control plane, sealed as in a cluster, which lets the fleet in, and the client config for it. */
export async function writeConfiguration(
  programs: Programs,
  places: ServicePlaces,
  port: number,
): Promise<void> {
  const { directory } = places;
  const authority = await readFile(join(directory, 'fleet', 'fleet.db.access.crt'));
  const names = ['--additional-sans', '127.0.0.1', '--endpoints', `127.0.0.1:${port}`, '--new-secrets'];
  await programs.run('osctl', 'gen', 'config', 'cuts', 'https://127.0.0.1:6443', '-o', directory, ...names);
  const acceptedCAs = [{ crt: authority.toString('base64') }];
  const patch = stringify({ version: 'v1alpha1', machine: { acceptedCAs } });
  const file = configurationFile(places);
  const sealed = ['STATE', 'EPHEMERAL'].map((name) =>
    stringify({
      apiVersion: 'v1alpha1',
      kind: 'VolumeConfig',
      name,
      encryption: {
        provider: 'luks2',
        keys: [{ slot: 0, tpm: {}, ...(name === 'EPHEMERAL' && { lockToState: true }) }],
      },
    }),
  );
  const patches = [patch, ...sealed].flatMap((text) => ['--patch', text]);
  await programs.run('osctl', 'machineconfig', 'patch', file, ...patches, '--output', `${file}.new`);
  await writeFile(file, await readFile(`${file}.new`));
}

/** The signed boot image of a version, as the factory gives it. */
export async function bootImage(
  places: ServicePlaces,
  schematic: string,
  version: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const url = `${factoryUrl(places)}/image/${schematic}/${version}/metal-amd64-secureboot-uki.efi`;
  return Buffer.from(await (await fetch(url, { signal })).arrayBuffer());
}
