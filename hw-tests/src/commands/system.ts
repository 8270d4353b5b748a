/**
 * `npm run system`: the whole system once through, from sources to a cluster that a fleet manager sees, in the foreground.
 * Its last line says what holds.
 */
import { mkdirSync } from 'node:fs';

import { systemDirectory } from '../system/places.ts';
import { Steps } from '../system/steps.ts';
import { wholeSystem } from '../system/thread.ts';

const limitMs = 30 * 60_000;

mkdirSync(systemDirectory, { recursive: true, mode: 0o700 });
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
const print = (line: string): void => console.log(line);
const steps = new Steps(print);
try {
  await wholeSystem(steps, print, AbortSignal.any([interrupted.signal, AbortSignal.timeout(limitMs)]));
  print(
    `\nholds: our node OS, from an image of our factory, on two machines with Secure Boot and TPM, in a cluster, ` +
      `upgraded and back, seen by the fleet manager; ${steps.seconds.toFixed(0)} s`,
  );
} catch (error) {
  console.error(`\ndoes not hold: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
