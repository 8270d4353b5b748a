import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { pressure } from '@nodecore/cgroup';

const program = fileURLToPath(new URL('../../../native/build/pressure_poll', import.meta.url));

/** What every process may ask for. */
const condition = { resource: 'cpu', kind: 'some', stallUs: 20_000, windowUs: 2_000_000 } as const;
const text = `${condition.kind} ${condition.stallUs} ${condition.windowUs}`;

/** So far apart are two alerts of one window at least. */
const window = 1_500_000_000n;

/**
 * How many ms later a process hears of stalls from us than a thread of C that does nothing but poll for them; for alerts
 * of two triggers with one condition, which the kernel evaluates together.
 */
export async function delaysMs(count: number): Promise<readonly number[]> {
  await using stack = new AsyncDisposableStack();
  startHogs(stack);
  const alerts = stack.use(await pressure.watch({ ...condition, sampling: 'never' }));
  // One more, for the case that it missed the first.
  const native = spawn(program, ['/proc/pressure/cpu', text, String(count + 1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(native, 'exit');
  stack.defer(async () => {
    native.kill();
    await ended;
  });
  const theirs: bigint[] = [];
  createInterface({ input: native.stdout }).on('line', (line) => {
    if (line !== 'armed') theirs.push(BigInt(line));
  });
  const ours: bigint[] = [];
  // The moment that matters is when our code runs, not when the addon was told.
  for await (const _ of alerts) {
    ours.push(process.hrtime.bigint());
    if (ours.length > count + 1) break;
  }
  return theirs.flatMap((their) => {
    const our = ours.find((time) => time > their - window / 2n && time < their + window / 2n);
    return our === undefined ? [] : [Number(our - their) / 1e6];
  });
}

/** More work than processors, at the lowest priority: it stalls, and gives way. */
function startHogs(stack: AsyncDisposableStack): void {
  for (let count = 0; count < 4; count += 1) {
    const hog = spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    const ended = once(hog, 'exit');
    setPriority(hog.pid ?? 0, 19);
    stack.defer(async () => {
      hog.kill('SIGKILL');
      await ended;
    });
  }
}
