import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type LoopDevice,
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { DoomedProcess } from './doomed-process.ts';
import { type VolumeJob, VolumeJobRun } from './volume-process.ts';

const kills = Number(process.env['FAULT_KILLS'] ?? (process.env['FAULT_CAMPAIGN'] === 'long' ? 50 : 4));
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const rooted = testWith(root, program('mkfs.xfs'), program('mkfs.ext4'), program('sfdisk'));

const mib = 1 << 20;
const foreignMib = 8;

/** Numbers in [0, 1) that look random and are the same for the same seed. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

type Place = { readonly file: string; readonly offset: number; readonly bytes: Buffer };

/** Somebody else's bytes: from the MiB given on. */
async function foreign({ file }: LoopDevice, atMib: number): Promise<Place> {
  const place = { file, offset: atMib * mib, bytes: randomBytes(foreignMib * mib) };
  await using handle = await open(file, 'r+');
  await handle.write(place.bytes, 0, place.bytes.length, place.offset);
  await handle.sync();
  return place;
}

async function isUntouched({ file, offset, bytes }: Place): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, offset);
  return buffer.equals(bytes);
}

/** Of a table, as a tool that knows nothing of us reads it, by name. */
async function entries(disk: string): Promise<readonly (readonly [name: string, attributes: string])[]> {
  const { partitiontable } = JSON.parse(await output(['sfdisk', '--json', disk])) as {
    partitiontable: { partitions: { name?: string; attrs?: string }[] };
  };
  return partitiontable.partitions
    .map(({ name = '', attrs = '' }) => [name, attrs] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** As small as an xfs comes. ext4 grows for holders of CAP_SYS_RESOURCE only, which containers lack. */
const minMib = 304;
function document(name: string, disks: string, rest: string): string {
  return `apiVersion: v1alpha1
kind: UserVolumeConfig
name: ${name}
provisioning:
  diskSelector: {match: '${disks}'}
${rest}`;
}

const on = (...disks: readonly LoopDevice[]): string =>
  disks.map(({ path }) => `disk.dev_path == "${path}"`).join(' || ');

/** Unmounts, locks, and has each filesystem checked by its own program, which changes nothing. */
async function closeAndCheck(run: VolumeJobRun, locations: readonly string[]): Promise<void> {
  await run.manager.close();
  await run[Symbol.asyncDispose]();
  for (const location of locations) {
    const type = (await output(['blkid', '-p', '-o', 'value', '-s', 'TYPE', location])).trim();
    await output(type === 'xfs' ? ['xfs_repair', '-n', location] : ['e2fsck', '-fn', location]);
  }
}

/** A disk with room between two pieces of foreign data, one to be taken whole, and one that is somebody else's. */
async function provisioningDisks(t: ExecutionContext) {
  const shared = await loopDevice(t, { sizeBytes: (minMib + 100) * mib });
  const whole = await loopDevice(t, { sizeBytes: 64 * mib });
  const others = await loopDevice(t, { sizeBytes: foreignMib * mib });
  await output(['sfdisk', '--quiet', shared.path], {
    input: `label: gpt\nstart=1MiB, size=${foreignMib}MiB, name=theirs, uuid=0FC63DAF-8483-4772-8E79-3D69D8477DE4\n`,
  });
  const places = [await foreign(shared, 1), await foreign(others, 0)];
  return { shared, whole, others, places };
}

/** Processes at work one after the other: the first ends by itself, the others by kill -9 at a random moment. */
class Killings {
  readonly #numbers: ReturnType<typeof random>;
  #next = new DoomedProcess();
  /** What the work takes on this machine. */
  #spanMs: number | undefined;
  #kills = 0;
  #early = 0;

  constructor(t: ExecutionContext, numbers: ReturnType<typeof random>) {
    this.#numbers = numbers;
    t.teardown(() => this.#next.kill('group'));
  }

  async work(job: VolumeJob): Promise<void> {
    const doomed = this.#next;
    this.#next = new DoomedProcess();
    if (this.#spanMs === undefined) {
      this.#spanMs = await doomed.work(job);
      return;
    }
    const victims = this.#numbers.next().value < 0.5 ? 'process' : 'group';
    const done = await doomed.workAndDie(job, this.#numbers.next().value * this.#spanMs, victims);
    this.#kills += 1;
    if (done === undefined) this.#early += 1;
  }

  toString(): string {
    return `seed ${seed}: ${this.#kills} kills, ${this.#early} before the end, of ${Math.round(this.#spanMs ?? 0)} ms of work`;
  }
}

rooted(`after kill -9 at any moment of provisioning volumes come to be, once (seed ${seed})`, async (t) => {
  t.timeout(kills * 300_000);
  const killings = new Killings(t, random(seed));
  for (let round = 0; round <= kills; round += 1) {
    const directory = await temporaryDirectory(t);
    const { shared, whole, others, places } = await provisioningDisks(t);
    const documents = [
      document(
        'data',
        on(shared, others),
        `  minSize: ${minMib}MiB\n  maxSize: ${minMib}MiB\nfilesystem: {type: xfs}`,
      ),
      document('logs', on(others, shared), `  minSize: 48MiB\n  maxSize: 48MiB\nfilesystem: {type: ext4}`),
      document('db', on(whole), 'volumeType: disk\nfilesystem: {type: ext4}'),
    ].join('\n---\n');
    const job: VolumeJob = {
      documents,
      disks: [shared.path, whole.path, others.path],
      mountRoot: join(directory, 'root'),
      intents: join(directory, 'intents'),
    };
    await mkdir(job.intents);
    await killings.work(job);
    const run = new VolumeJobRun(job);
    const statuses = await run.ready();
    t.deepEqual(await entries(shared.path), [
      ['theirs', ''],
      ['u-data', ''],
      ['u-logs', ''],
    ]);
    await closeAndCheck(
      run,
      [...statuses.values()].map(({ location = '' }) => location),
    );
    for (const place of places) t.true(await isUntouched(place), `${place.file} in round ${round}`);
    for (const disk of [shared, whole, others]) await disk.detach();
  }
  t.log(String(killings));
});

rooted(
  `after kill -9 at any moment of growing a volume is as large as it may be, with its data (seed ${seed})`,
  async (t) => {
    t.timeout(kills * 300_000);
    const stepMib = 16;
    const endMib = 9 + minMib + (kills + 4) * stepMib;
    const disk = await loopDevice(t, { sizeBytes: (endMib + foreignMib + 2) * mib });
    await output(['sfdisk', '--quiet', disk.path], {
      input: `label: gpt\nstart=1MiB, size=${foreignMib}MiB, name=theirs\nstart=${endMib}MiB, size=${foreignMib}MiB, name=also\n`,
    });
    const places = [await foreign(disk, 1), await foreign(disk, endMib)];
    const directory = await temporaryDirectory(t);
    const jobOf = (sizeMib: number): VolumeJob => ({
      documents: document(
        'data',
        on(disk),
        `  minSize: ${minMib}MiB\n  maxSize: ${sizeMib}MiB\n  grow: true\nfilesystem: {type: xfs}`,
      ),
      disks: [disk.path],
      mountRoot: join(directory, 'root'),
      intents: join(directory, 'intents'),
      sizeBytes: sizeMib * mib,
    });
    await mkdir(join(directory, 'intents'));
    const file = join(directory, 'root/var/mnt/data/file');
    const kept = randomBytes(8 * mib);
    const make = new VolumeJobRun(jobOf(minMib));
    const { uuid } = (await make.ready()).get('u-data') ?? {};
    await writeFile(file, kept);
    await make[Symbol.asyncDispose]();
    let sizeMib = minMib;
    t.teardown(async () => {
      const last = new VolumeJobRun(jobOf(sizeMib));
      await last.ready();
      await closeAndCheck(last, [`${disk.path}p3`]);
    });
    const killings = new Killings(t, random(seed + 1));
    for (let round = 0; round <= kills; round += 1) {
      sizeMib += stepMib;
      const job = jobOf(sizeMib);
      await killings.work(job);
      await using run = new VolumeJobRun(job);
      t.is((await run.ready()).get('u-data')?.uuid, uuid);
      t.true((await readFile(file)).equals(kept), `round ${round}`);
      for (const place of places) t.true(await isUntouched(place), `round ${round}`);
    }
    t.log(String(killings));
  },
);
