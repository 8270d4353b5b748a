import { rm } from 'node:fs/promises';

import { output } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type Listed, lsblkArguments, parseLsblk } from './lsblk-columns.ts';

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

/** Every device that `lsblk` knows here. */
export async function lsblk(): Promise<Listed> {
  return parseLsblk(await output([...lsblkArguments]));
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
