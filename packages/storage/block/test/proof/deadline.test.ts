import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { type Clock, systemClock } from '@nodecore/waiting';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { ByteRange } from '../../src/byte-range.ts';
import { DeviceFile } from '../../src/devices/device-file.ts';
import { emptiness, requireEmpty } from '../../src/proof/emptiness.ts';
import { allowSlowProofs } from '../../src/proof/time.ts';
import type { PartJudgement, ProofReader, Written } from '../../src/proof/reader.ts';

const size = 64 << 20;

async function image(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(size);
  return path;
}

/** Time that passes only while something is read. */
class ReadingClock implements Clock {
  #now = 1_800_000_000_000;

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  now(): number {
    return this.#now;
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

/** Finds nothing, and needs its time for it. */
class SlowReader implements ProofReader {
  readonly #clock: ReadingClock;
  readonly #windowMs: number;
  reads = 0;

  constructor(clock: ReadingClock, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  judge(): Promise<PartJudgement> {
    return Promise.resolve({ name: '', signatures: [] });
  }

  written(windows: readonly ByteRange[]): Promise<Written> {
    this.reads += windows.length;
    this.#clock.pass(windows.length * this.#windowMs);
    return Promise.resolve({ places: [] });
  }
}

test('a disk that is read in time is empty', async (t) => {
  const clock = new ReadingClock();
  const reader = new SlowReader(clock, 0.5);
  const { empty, receipt } = await emptiness(await image(t), { clock, reader });
  t.true(empty);
  t.true(receipt.tookMs > 500 && receipt.tookMs <= 1000);
});

test('a disk that is not read in time is unproven, with that reason, and asked no longer', async (t) => {
  const clock = new ReadingClock();
  const reader = new SlowReader(clock, 2);
  const found = await emptiness(await image(t), { clock, reader });
  t.false(found.empty);
  t.deepEqual(found.receipt.found, []);
  t.is(found.receipt.limitMs, 1000);
  t.true(found.receipt.tookMs <= 1000, 'it ends before its limit');
  t.regex(found.receipt.unproven.join('\n'), /^not proven within 1000 ms: \d+ of 1024 windows not read$/);
  t.true(reader.reads <= 500);
});

test('who needs the proof is told that there was not enough time, not that something is there', async (t) => {
  const clock = new ReadingClock();
  await using device = await DeviceFile.open(await image(t));
  await t.throwsAsync(requireEmpty(device, { clock, reader: new SlowReader(clock, 2) }), {
    code: 'ERR_BLOCK_UNPROVEN',
    message: /is not proven empty: not proven within 1000 ms/,
  });
  const reader: ProofReader = {
    judge: () => Promise.resolve({ name: '', signatures: [] }),
    written: () => Promise.resolve({ places: [], unreadable: { offset: 8192n, errno: 'EIO' } }),
  };
  await t.throwsAsync(requireEmpty(device, { reader }), { code: 'ERR_BLOCK_NOT_EMPTY' });
});

test.serial('a process on a slow machine allows its proofs more time', async (t) => {
  allowSlowProofs(5000);
  t.teardown(() => allowSlowProofs(0));
  const clock = new ReadingClock();
  const { empty, receipt } = await emptiness(await image(t), { clock, reader: new SlowReader(clock, 2) });
  t.true(empty);
  t.is(receipt.limitMs, 5000);
});

test('what can not be read is no zero', async (t) => {
  const reader: ProofReader = {
    judge: () => Promise.resolve({ name: '', signatures: [] }),
    written: () => Promise.resolve({ places: [], unreadable: { offset: 8192n, errno: 'EIO' } }),
  };
  const found = await emptiness(await image(t), { reader });
  t.false(found.empty);
  t.regex(found.receipt.unproven.join('\n'), /^read .*disk\.img at byte 8192: EIO$/);
});

test('what libblkid knows where a partition may have begun is found, at its place on the disk', async (t) => {
  const reader: ProofReader = {
    judge: (part) => {
      const isThere = part?.offset === 4n << 20n;
      const signature = { type: 'xfs', usage: 'filesystem', offset: part?.offset ?? 0n, uuid: '', label: '' };
      return Promise.resolve({
        name: '',
        signatures: isThere ? [{ ...signature, usage: 'filesystem' }] : [],
      });
    },
    written: () => Promise.resolve({ places: [] }),
  };
  const found = await emptiness(await image(t), { reader });
  t.deepEqual(found.receipt.found, [
    'it has a signature of xfs at byte 4194304, where a partition may have begun, byte 4194304',
  ]);
});
