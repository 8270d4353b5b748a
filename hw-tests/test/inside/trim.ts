/** Runs in a machine: does what each line of standard input says to one filesystem, and answers in a line. JSON both. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { mounts } from '@nodecore/block';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';
import { Courtesy, eligibility, MountPoint, readIoPressure, trim, type TrimProgress } from '@nodecore/trim';

import { cheap } from '../key-specs.ts';

export type Request =
  /** Makes a filesystem, writes `mib` files of 1 MiB each, and removes every second one. */
  | {
      readonly do: 'fill';
      readonly device: string;
      readonly filesystem: 'ext4' | 'xfs' | 'btrfs';
      readonly encryption: 'none' | 'discards' | 'closed';
      readonly mib: number;
    }
  | { readonly do: 'trim' }
  /** Trims, and takes it back after the first range. */
  | { readonly do: 'abort' }
  /** Trims while others wait for the same disk, who end when the trim waits for them. */
  | { readonly do: 'yield' }
  /** Trims up to the middle, and stays there. */
  | { readonly do: 'begin' }
  /** Mounts the filesystem of a `fill` again after a boot, and says how many of its files are whole. */
  | { readonly do: 'mount'; readonly device: string; readonly filesystem: string; readonly mib: number }
  | { readonly do: 'close' };

export type Answer = {
  readonly disks?: readonly string[];
  readonly skipped?: string;
  readonly ranges?: number;
  readonly longestRangeMs?: number;
  readonly durationMs?: number;
  readonly pausedMs?: number;
  /** How far it came, of how much. */
  readonly doneBytes?: number;
  readonly totalBytes?: number;
  readonly whole?: number;
};

const run = promisify(execFile);
const target = '/run/trimmed';
const name = 'trimmed';

async function fill({
  device,
  filesystem,
  encryption,
  mib,
}: Extract<Request, { do: 'fill' }>): Promise<Answer> {
  let source = device;
  if (encryption !== 'none') {
    using key = Secret.random(32);
    await luks.format(device, { key, pbkdf: cheap, overwrite: true });
    const allowDiscards = encryption === 'discards';
    source = (await luks.open(device, { name, keys: [{ key }], allowDiscards })).path;
  }
  // ext4 is made whole at once: a kernel that goes on with its tables would write to the disk while it is measured.
  const whole = ['-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0'];
  await run(`mkfs.${filesystem}`, ['-q', ...(filesystem === 'ext4' ? whole : ['-f']), source]);
  await mkdir(target, { recursive: true });
  await mounts.mount({ source, target, type: filesystem });
  const files = Array.from({ length: mib }, (_, index) => join(target, `file-${index}`));
  // Not zeros, which some layer might leave out.
  for (const [index, file] of files.entries())
    await writeFile(file, Buffer.alloc(1 << 20, (index % 255) + 1));
  await run('sync', ['-f', target]);
  for (const [index, file] of files.entries()) if (index % 2 === 1) await rm(file);
  await run('sync', ['-f', target]);
  return {};
}

async function trimNow(): Promise<Answer> {
  const mounted = await MountPoint.find(target);
  const verdict = eligibility(mounted?.live);
  if (!verdict.eligible || mounted === undefined) return { skipped: verdict.eligible ? '' : verdict.reason };
  const { ranges, longestRangeMs, durationMs } = await trim(mounted);
  return { disks: verdict.disks, ranges, longestRangeMs, durationMs };
}

async function mountedTarget(): Promise<MountPoint> {
  const mounted = await MountPoint.find(target);
  if (mounted === undefined) throw new Error(`nothing is mounted at ${target}`);
  return mounted;
}

/** How far a trim is. */
function answerOf({ ranges, doneBytes, totalBytes, pausedMs }: TrimProgress): Answer {
  return { ranges, pausedMs, doneBytes: Number(doneBytes), totalBytes: Number(totalBytes) };
}

async function abort(): Promise<Answer> {
  const control = new AbortController();
  const reason = new Error('taken back');
  let last: Answer = {};
  const onProgress = (progress: TrimProgress): void => {
    last = answerOf(progress);
    if (progress.ranges >= 1) control.abort(reason);
  };
  try {
    await trim(await mountedTarget(), { signal: control.signal, onProgress });
  } catch (error) {
    if (error === reason) return last;
    throw error;
  }
  throw new Error('the trim went on to its end');
}

/** Writers that wait for the disk all the time. */
function load(): () => Promise<void> {
  const script = 'while :; do dd if=/dev/zero of="$0" bs=4k count=2000 oflag=dsync status=none; done';
  const writers = [1, 2, 3].map((n) =>
    spawn('sh', ['-c', script, join(target, `load-${n}`)], { stdio: 'ignore', detached: true }),
  );
  return async () => {
    for (const writer of writers) {
      const ended = once(writer, 'close');
      process.kill(-(writer.pid ?? 0), 'SIGKILL'); // its group: sh and the dd that it runs
      await ended;
    }
  };
}

async function yieldToOthers(): Promise<Answer> {
  const end = load();
  const clock = systemClock;
  while (((await readIoPressure())?.recent ?? 0) < 0.3) await clock.sleep(200);
  const waits = Promise.withResolvers<void>();
  const onProgress = ({ state }: TrimProgress): void => {
    if (state === 'paused') waits.resolve();
  };
  const trimming = trim(await mountedTarget(), { courtesy: new Courtesy(), onProgress });
  await waits.promise;
  await end();
  const { ranges, pausedMs, doneBytes, totalBytes } = await trimming;
  return { ranges, pausedMs, doneBytes: Number(doneBytes), totalBytes: Number(totalBytes) };
}

/** Gives the first turns, and no more. */
class Halting extends Courtesy {
  readonly halted: PromiseWithResolvers<void> = Promise.withResolvers();
  #left = 2;

  override async run<T>(...turn: Parameters<typeof Courtesy.prototype.run<T>>): Promise<T> {
    this.#left -= 1;
    if (this.#left >= 0) return await super.run(...turn);
    this.halted.resolve();
    return await new Promise<T>(() => {});
  }
}

async function begin(): Promise<Answer> {
  const courtesy = new Halting();
  let last: Answer = {};
  const onProgress = (progress: TrimProgress): void => {
    last = answerOf(progress);
  };
  const trimming = trim(await mountedTarget(), { courtesy, onProgress });
  await Promise.race([courtesy.halted.promise, trimming]); // one that fails says why
  return last;
}

async function mountAgain({ device, filesystem, mib }: Extract<Request, { do: 'mount' }>): Promise<Answer> {
  await mkdir(target, { recursive: true });
  await mounts.mount({ source: device, target, type: filesystem });
  let whole = 0;
  for (let index = 0; index < mib; index += 2) {
    const bytes = await readFile(join(target, `file-${index}`));
    if (bytes.equals(Buffer.alloc(1 << 20, (index % 255) + 1))) whole += 1;
  }
  return { whole };
}

async function close(): Promise<Answer> {
  await mounts.unmount(target);
  if ((await luks.status(name)) !== undefined) await luks.close(name);
  return {};
}

function answerTo(request: Request): Promise<Answer> {
  switch (request.do) {
    case 'fill':
      return fill(request);
    case 'trim':
      return trimNow();
    case 'abort':
      return abort();
    case 'yield':
      return yieldToOthers();
    case 'begin':
      return begin();
    case 'mount':
      return mountAgain(request);
    case 'close':
      break;
  }
  return close();
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  const answer = await answerTo(request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
