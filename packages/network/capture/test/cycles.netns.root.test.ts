import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  leakedDescriptors,
  openDescriptors,
  privateNetwork,
  root,
  temporaryDirectory,
  testWith,
  vethPair,
} from '@nodecore/testkit';
import test from 'ava';

import { captureToFile, open, openRing } from '../src/index.ts';
import { floodProgram } from './traffic.ts';

const rooted = testWith(root);
const cycles = process.env['FAULT_CAMPAIGN'] === 'long' ? 5000 : 500;
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** Numbers in [0, below) that look random and are the same for the same seed. */
function randomNumbers(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

rooted(
  `${cycles} captures that begin and end at random under a flood leave nothing behind (seed ${seed})`,
  async (t) => {
    t.timeout(600_000);
    const random = randomNumbers(seed);
    const directory = await temporaryDirectory(t);
    const flood = spawn(floodProgram, ['left', '200', '1000000000', '50000'], { stdio: 'ignore' });
    t.teardown(() => flood.kill('SIGKILL'));
    const path = join(directory, 'a.pcap');
    const once = async (): Promise<void> => {
      const options = {
        ringBytes: 1 << (20 + random(4)),
        snapLength: 1 + random(300),
        promiscuous: random(2) === 0,
      };
      switch (random(4)) {
        case 0: {
          // Left in the middle of a batch.
          await using capture = await open({
            interfaces: ['left', 'right'],
            ...options,
            gatherMs: random(3),
          });
          for await (const _ of capture) if (random(3) === 0) break;
          return;
        }
        case 1: {
          // Never read.
          await using capture = await open({ interfaces: ['right'], ...options });
          if (random(2) === 0) capture.stop();
          return;
        }
        case 2: {
          await using capture = await captureToFile(path, {
            interfaces: ['right'],
            ...options,
            ...(random(2) === 0 ? { packets: BigInt(1 + random(500)) } : { durationMs: 1 + random(20) }),
          });
          await capture.summary();
          await rm(path);
          return;
        }
        default: {
          await using capture = await openRing({ interface: 'right', ...options, latencyMs: 1 + random(10) });
          for await (const _ of capture) if (random(3) === 0) capture.stop();
        }
      }
    };
    for (let warm = 0; warm < 20; warm += 1) await once();
    globalThis.gc?.();
    const before = openDescriptors();
    const bytesBefore = process.memoryUsage().rss;
    for (let cycle = 0; cycle < cycles; cycle += 1) await once();
    globalThis.gc?.();
    // Sockets of lent rings are closed by threads of their own.
    while (leakedDescriptors(before).length > 0) await new Promise(setImmediate);
    const grownMib = (process.memoryUsage().rss - bytesBefore) / 2 ** 20;
    t.log(`${cycles} cycles, ${grownMib.toFixed(1)} MiB more`);
    t.true(grownMib < 64, 'one leaked ring of each size would be more');
  },
);
