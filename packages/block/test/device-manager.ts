import { rm } from 'node:fs/promises';

import { output } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** Starts udevd in a node that has none, and lets it look at every block device. Nothing of it outlives the test. */
export async function deviceManager(t: ExecutionContext): Promise<void> {
  t.teardown(async () => {
    await output(['udevadm', 'control', '--exit']);
    for (const trace of ['/dev/disk', '/run/udev']) await rm(trace, { recursive: true, force: true });
  });
  await output(['/lib/systemd/systemd-udevd', '--daemon']);
  await output(['udevadm', 'trigger', '--type=devices', '--subsystem-match=block', '--action=add']);
  await output(['udevadm', 'settle', '--timeout=60']);
}

/** What `lsblk -O -J` says of one device. */
export type LsblkDevice = Readonly<Record<string, unknown>> & {
  readonly kname: string;
  readonly children?: readonly LsblkDevice[];
};

/** Every device that `lsblk` knows, by kernel name, and which stands on which: `below above`. */
export async function lsblk(): Promise<{
  readonly devices: ReadonlyMap<string, LsblkDevice>;
  readonly edges: ReadonlySet<string>;
}> {
  const text = await output(['lsblk', '--output-all', '--json', '--bytes']);
  const { blockdevices } = JSON.parse(text) as { readonly blockdevices: readonly LsblkDevice[] };
  const devices = new Map<string, LsblkDevice>();
  const edges = new Set<string>();
  const walk = (device: LsblkDevice): void => {
    devices.set(device.kname, device);
    for (const child of device.children ?? []) {
      edges.add(`${device.kname} ${child.kname}`);
      walk(child);
    }
  };
  blockdevices.forEach(walk);
  return { devices, edges };
}

/** The links below `/dev/disk` as `find` sees them, by the name of their node. */
export async function linksByNode(): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = await output(['find', '/dev/disk', '-type', 'l', '-printf', '%p\t%l\\n']);
  const links = new Map<string, string[]>();
  for (const line of lines.trimEnd().split('\n').sort()) {
    const [path = '', target = ''] = line.split('\t');
    const node = target.slice(target.lastIndexOf('/') + 1);
    links.set(node, [...(links.get(node) ?? []), path]);
  }
  return links;
}
