import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { type Partition, partitions, probe } from '@nodecore/block';
import { Serial } from '@nodecore/waiting';
import {
  command,
  inLanes,
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { RigMachine, type RigSpec } from '../src/index.ts';
import { CrashImages, type CrashState, crashStates, Recorder, WriteRecord } from '../src/log-writes/index.ts';
import { chosenStates } from './chosen-states.ts';
import { LockedPartition } from './opened-image.ts';
import { VolumeJobRun } from './volume-process.ts';
import { fileIn, keptBytes, onDisk, passphrase, type VolumeStory } from './volume-story.ts';

const long = process.env['FAULT_CAMPAIGN'] === 'long';
/** Of the states of one operation; the long campaign checks all. */
const maxStates = long ? Infinity : 12;
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const mib = 1 << 20;
const diskMib = 96;
const theirs = [1, 88] as const;
const theirMib = 4;
const deviceBytes = diskMib * mib;
const stories = {
  clear: { encrypted: false, firstMib: 40, laterMib: 64 },
  locked: { encrypted: true, firstMib: 40, laterMib: 64 },
} as const satisfies Readonly<Record<string, VolumeStory>>;
type Name = keyof typeof stories;
const names: readonly Name[] = ['clear', 'locked'];

/** A disk with two partitions of somebody else, and room for the volume between them. */
async function makeDisk(path: string): Promise<void> {
  await using file = await open(path, 'w');
  await file.truncate(deviceBytes);
  const [first, last] = theirs.map((start) => `start=${start}MiB, size=${theirMib}MiB`);
  await output(['sfdisk', '--quiet', path], {
    input: `label: gpt\n${first}, name=first\n${last}, name=last\n`,
  });
  for (const start of theirs) await file.write(randomBytes(theirMib * mib), 0, theirMib * mib, start * mib);
}

async function foreignBytes(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(theirs.length * theirMib * mib);
  for (const [index, start] of theirs.entries())
    await file.read(bytes, index * theirMib * mib, theirMib * mib, start * mib);
  return bytes;
}

function machineSpec(file: (name: string) => string): RigSpec {
  return {
    name: 'volume-crash',
    uuid: '8d0b7e0f-3a52-4a52-b1f4-9d3c1c8e7a22',
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 1024,
    cpus: 1,
    disks: names.flatMap((name) => [
      { driver: 'virtio', sizeBytes: deviceBytes, serial: `DISK-${name}`, file: file(`${name}.disk`) },
      { driver: 'virtio', sizeBytes: 512 * mib, serial: `RECORD-${name}`, file: file(`${name}.record`) },
    ]),
    forwards: [],
    modules: ['dm-log-writes', 'loop'],
  };
}

/** Has a machine make and grow the volumes, with its writes recorded. */
async function record(t: ExecutionContext, file: (name: string) => string): Promise<void> {
  await using machine = await RigMachine.boot(machineSpec(file));
  const device = (serial: string): string => machine.devices.get(serial) ?? '';
  for (const name of names) {
    const recorder = await Recorder.start(machine, {
      device: device(`DISK-${name}`),
      log: device(`RECORD-${name}`),
    });
    const argv = ['node', '--conditions=source', 'hw-tests/test/inside/record-volume.ts'] as const;
    const input = Buffer.from(JSON.stringify(stories[name]));
    const { code, stderr } = await machine.run(argv, { input });
    t.is(code, 0, stderr.toString());
    await recorder.stop();
  }
  await machine.powerOff();
}

/** The volume's entry; the table, with the entries of the others, must be there in every state. */
async function entryOf(t: ExecutionContext, image: string, state: string): Promise<Partition | undefined> {
  const table = await partitions.read(image);
  const entries = new Map(table?.partitions.map((partition) => [partition.label, partition]));
  t.true(entries.has('first') && entries.has('last') && entries.size < 4, state);
  return entries.get('u-data');
}

/** Where one state is judged, while others are elsewhere. */
type Place = { readonly image: string; readonly directory: string; readonly locked: LockedPartition };

async function placeIn(directory: string): Promise<Place> {
  await mkdir(directory);
  return { image: join(directory, 'crashed'), directory, locked: new LockedPartition(directory) };
}

type Check = Place & {
  readonly story: VolumeStory;
  /** Whether the file is on the volume: it was, before the recorded operation began. */
  readonly hasFile: boolean;
  readonly state: string;
};

/** A start of a node on what the crash has left: the volume comes into use, with its data when it had any. */
async function start(t: ExecutionContext, check: Check): Promise<void> {
  const { image, directory, story, hasFile, state } = check;
  const disk = await loopDevice(t, { file: image });
  const root = join(directory, 'node');
  const { sizeBytes: _, ...job } = onDisk(disk.path, root, story, story.firstMib);
  await mkdir(job.intents, { recursive: true });
  const run = new VolumeJobRun(job);
  try {
    await run.ready();
    if (hasFile) t.true((await readFile(fileIn(job))).equals(keptBytes), state);
  } finally {
    await run.manager.close();
    await run[Symbol.asyncDispose]();
    await disk.detach();
    await rm(root, { recursive: true });
  }
}

/**
 * What is locked can't be opened on every host: it is decrypted into a file. As long as the entry says that its content is
 * being made, anything may be in it, and a start makes it anew; from then on it is whole.
 */
async function checkLocked(t: ExecutionContext, check: Check, entry: Partition | undefined): Promise<string> {
  const { image, directory, locked, hasFile, state } = check;
  if (entry === undefined || entry.underConstruction) {
    t.false(hasFile, state);
    return entry === undefined ? 'untouched' : 'half-made';
  }
  const { offset, size } = entry;
  await using file = await open(image, 'r');
  const { buffer } = await file.read(Buffer.alloc(Number(size)), 0, Number(size), Number(offset));
  await locked.become(buffer);
  t.like(await probe(locked.path), { name: 'luks', label: 'u-data' }, state);
  await locked.decrypt(passphrase);
  const { plain } = locked;
  const replayed = await command(['e2fsck', '-p', plain]);
  t.true(replayed.code <= 1, `${state}: ${replayed.stdout}`);
  await output(['e2fsck', '-fn', plain]);
  if (hasFile) {
    const copy = join(directory, 'copy');
    await output(['debugfs', '-R', `dump /file ${copy}`, plain]);
    t.true((await readFile(copy)).equals(keptBytes), state);
  }
  return 'whole';
}

testWith(
  root,
  program('mkfs.ext4'),
  program('debugfs'),
  program('cryptsetup'),
)(
  `a power cut at any write of making and growing a volume leaves it ready or untouched, and its neighbours as they were (seed ${seed})`,
  async (t) => {
    t.timeout(long ? 7_200_000 : 600_000);
    const directory = await temporaryDirectory(t);
    const file = (name: string): string => join(directory, name);
    for (const name of names) {
      await makeDisk(file(`${name}.base`));
      await copyFile(file(`${name}.base`), file(`${name}.disk`));
    }
    const started = performance.now();
    await record(t, file);
    t.log(`recorded in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    for (const name of names) {
      const foreign = await foreignBytes(file(`${name}.base`));
      await using writes = await WriteRecord.open(file(`${name}.record`), { deviceBytes });
      await using images = await CrashImages.open(writes, {
        base: file(`${name}.base`),
        working: file('working'),
      });
      for (const operation of ['make', 'grow'] as const) {
        const since = performance.now();
        const entries = writes.between(`begin:${operation}`, `end:${operation}`);
        const all = crashStates(entries);
        const states = chosenStates(all, { most: maxStates, seed });
        const operated = { name, operation, foreign, images, directory };
        const found = await judge(t, states, operated);
        const count = entries.filter(({ length }) => length > 0).length;
        const told = [...found].map(([verdict, times]) => `${times} ${verdict}`).join(', ');
        t.log(
          `${name}, ${operation}: ${count} writes, ${states.length} of ${all.length} states in ` +
            `${((performance.now() - since) / 1000).toFixed(1)} s: ${told}`,
        );
      }
    }
  },
);

type Operated = {
  readonly name: Name;
  readonly operation: 'make' | 'grow';
  readonly foreign: Buffer;
  readonly images: CrashImages;
  readonly directory: string;
};

/** Judges what a power cut in an operation may leave, as many states at once as there are processors. */
async function judge(
  t: ExecutionContext,
  states: readonly CrashState[],
  { name, operation, foreign, images, directory }: Operated,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const building = new Serial(); // in their order
  const free: Place[] = [];
  for (let lane = 0; lane < availableParallelism(); lane += 1)
    free.push(await placeIn(join(directory, `${name}-${operation}-${lane}`)));
  const judgeOne = async (crash: CrashState): Promise<void> => {
    const place = free.pop();
    if (place === undefined) throw new TypeError('more lanes than places');
    const { image } = place;
    const state = `${name}, ${operation}, ${crash.name}`;
    await building.run(() => images.build(crash, image));
    t.true((await foreignBytes(image)).equals(foreign), state);
    const entry = await entryOf(t, image, state);
    const check = { ...place, story: stories[name], hasFile: operation === 'grow', state };
    const verdict = await verdictOf(t, check, entry);
    found.set(verdict, (found.get(verdict) ?? 0) + 1);
    t.true((await foreignBytes(image)).equals(foreign), `${state}, after the start`);
    free.push(place);
  };
  const jobs = states.map((state) => () => judgeOne(state));
  await inLanes(free.length, jobs);
  return found;
}

async function verdictOf(t: ExecutionContext, check: Check, entry: Partition | undefined): Promise<string> {
  try {
    if (check.story.encrypted) return await checkLocked(t, check, entry);
    await start(t, check);
    return entry === undefined ? 'untouched' : entry.underConstruction ? 'half-made' : 'whole';
  } catch (cause) {
    throw new Error(check.state, { cause });
  }
}
