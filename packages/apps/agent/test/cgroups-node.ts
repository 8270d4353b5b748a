import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type {
  CgroupInit,
  CgroupsResponseInit,
  CgroupsStartInit,
  ReadCgroupsRequest,
  WatchCgroupsRequest,
} from '@nodecore/api/cgroup';
import { parsePressure, type Pressure } from '@nodecore/cgroup';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type Contents, writeContents } from '../../../workload/cgroup/test/copied-tree.ts';
import { Cgroups } from '../src/cgroups/cgroups.ts';
import { type Places, thisNode } from '../src/cgroups/places.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

export const never: AbortSignal = new AbortController().signal;

export type CgroupsNode = {
  readonly cgroups: Cgroups;
  readonly clock: FakeClock;
  /** Of the copied hierarchy. */
  readonly directory: string;
  readonly places: Places;
  readonly write: (contents: Contents) => Promise<void>;
};

const quiet = parsePressure(
  'some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
);
export const calm: Pressure = { cpu: quiet, memory: quiet, io: quiet, irq: undefined };

/** A node whose cgroups are files in a directory. */
export async function cgroupsNode(
  t: ExecutionContext,
  contents: Contents,
  more: Partial<Places> = {},
): Promise<CgroupsNode> {
  const base = await temporaryDirectory(t);
  const directory = join(base, 'cgroup');
  await mkdir(directory);
  await writeContents(directory, contents);
  const clock = new FakeClock();
  const places: Places = {
    ...thisNode,
    hierarchy: async () => ({ directory, elsewhere: ['cpuset'] }),
    foreign: true,
    readAtNs: () => BigInt(clock.now()) * 1_000_000n, // what is written does not go on while it is read
    pressure: async () => calm,
    processes: join(base, 'proc'),
    blockDevices: join(base, 'block'),
    podLogs: join(base, 'pods'),
    containerLogs: join(base, 'containers'),
    ...more,
  };
  const write = (changes: Contents): Promise<void> => writeContents(directory, changes);
  return { cgroups: new Cgroups({ clock, places }), clock, directory, places, write };
}

/** Processes, devices and logs beside the hierarchy, in the directories of `places`. */
export async function furnish(
  places: Places,
  facts: {
    readonly executables?: Readonly<Record<string, string>>;
    readonly commands?: Readonly<Record<string, string>>;
    readonly devices?: Readonly<Record<string, string>>;
    readonly pods?: readonly string[];
    readonly containers?: readonly string[];
  },
): Promise<void> {
  const { executables = {}, commands = {}, devices = {}, pods = [], containers = [] } = facts;
  for (const [id, path] of Object.entries(executables)) {
    await mkdir(join(places.processes, id), { recursive: true });
    await symlink(path, join(places.processes, id, 'exe'));
  }
  for (const [id, name] of Object.entries(commands)) {
    await mkdir(join(places.processes, id), { recursive: true });
    await writeFile(join(places.processes, id, 'comm'), `${name}\n`);
  }
  await mkdir(places.blockDevices, { recursive: true });
  for (const [number, path] of Object.entries(devices))
    await symlink(path, join(places.blockDevices, number));
  for (const name of pods) await mkdir(join(places.podLogs, name), { recursive: true });
  await mkdir(places.containerLogs, { recursive: true });
  for (const name of containers) await writeFile(join(places.containerLogs, name), '');
}

export function reading(request: Partial<ReadCgroupsRequest>): ReadCgroupsRequest {
  return { files: [], cgroup: '', names: false, processes: false, ...request };
}

export function watching(request: Partial<ReadCgroupsRequest>, intervalMillis = 1000): WatchCgroupsRequest {
  return { what: reading(request), intervalMillis };
}

/** One sample as a test looks at it. */
export type Seen = {
  readonly start: CgroupsStartInit | undefined;
  readonly byPath: ReadonlyMap<string, CgroupInit>;
  readonly sample: NonNullable<CgroupsResponseInit['sample']>;
};

/** The next sample of a stream. */
export async function nextSample(stream: AsyncIterator<CgroupsResponseInit, void>): Promise<Seen> {
  let start: CgroupsStartInit | undefined;
  const byPath = new Map<string, CgroupInit>();
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true || value === undefined) throw new Error('the stream ended in the middle of a sample');
    start = value.start ?? start;
    for (const cgroup of value.cgroups?.cgroups ?? []) byPath.set(cgroup.path ?? '', cgroup);
    if (value.sample !== undefined) return { start, byPath, sample: value.sample };
  }
}

/** Resolves when somebody sleeps, so that time can pass for them. */
export async function asleep(clock: FakeClock): Promise<void> {
  while (clock.sleepers === 0) await new Promise(setImmediate);
}
