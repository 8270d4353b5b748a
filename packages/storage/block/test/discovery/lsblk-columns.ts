import type { ExecutionContext } from 'ava';

/** What `lsblk -O -J` says of one device. */
export type LsblkDevice = Readonly<Record<string, unknown>> & {
  readonly kname: string;
  readonly children?: readonly LsblkDevice[];
};

export const lsblkArguments = ['lsblk', '--output-all', '--json', '--bytes'] as const;

export type Listed = {
  readonly devices: ReadonlyMap<string, LsblkDevice>;
  readonly edges: ReadonlySet<string>;
};

/** Every device that `lsblk` knows, by kernel name, and which stands on which: `below above`. */
export function parseLsblk(text: string): Listed {
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

/**
 * The columns of `lsblk` are those that we have a word for. What udev has no rule for is empty there: it counts only where
 * it says something.
 */
export function sameColumns(t: ExecutionContext, device: LsblkDevice, ours: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(ours)) {
    const theirs = typeof device[name] === 'string' ? device[name].trim() : device[name];
    if (theirs === null || theirs === undefined || theirs === '') continue;
    t.is(value, theirs, `${device.kname}: ${name}`);
  }
}
