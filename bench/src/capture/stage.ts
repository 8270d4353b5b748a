/**
 * The place of the capture benches: a network namespace with a wire, in which one receiver at a time is measured. Runs
 * as a child (`unshare --net node stage.ts`) and answers messages.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Run, Measured } from './protocol.ts';

const run = promisify(execFile);
const flood = fileURLToPath(new URL('../../../native/build/live_flood', import.meta.url));
const receiver = fileURLToPath(new URL('receiver.ts', import.meta.url));
/** tcpdump asks for blocks after a second at the latest, ours after a quarter. */
const settleMs = 1300;

await run('ip', ['link', 'set', 'lo', 'up']);
await run('ip', ['link', 'add', 'left', 'type', 'veth', 'peer', 'name', 'right']);
for (const name of ['left', 'right']) await run('ip', ['link', 'set', name, 'addrgenmode', 'none', 'up']);
process.on('message', (message: Run) => {
  void measure(message).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.({ ready: true });

async function measure(what: Run): Promise<Measured> {
  const path = what.sink === 'null' ? '/dev/null' : join(tmpdir(), `nodecore-bench-${process.pid}.pcap`);
  const child = start(what, path);
  try {
    const lines: string[] = [];
    const reader = createInterface({ input: what.side === 'ours' ? child.stdout! : child.stderr! });
    const first = Promise.withResolvers<void>();
    reader.on('line', (line) => {
      lines.push(line);
      first.resolve();
    });
    const ended = once(child, 'close');
    await Promise.race([first.promise, ended]);
    const { frameBytes, count, perSecond, percent, warmUp } = what;
    const send = async (frames: number): Promise<number> => {
      const { stdout } = await run(flood, ['right', ...[frameBytes, frames, perSecond, percent].map(String)]);
      await setTimeout(settleMs);
      return Number(stdout.split(' ')[1]);
    };
    // A program that has just started is not what a capture of hours costs.
    if (warmUp > 0) await send(warmUp);
    const before = await cpuNs(child.pid ?? 0);
    const rate = await send(count);
    const after = await cpuNs(child.pid ?? 0);
    child.kill('SIGINT');
    await ended;
    const [packets, dropped] = what.side === 'ours' ? ourCounts(lines) : tcpdumpCounts(lines);
    return {
      packets,
      dropped,
      nsPerPacket: (after - before) / count,
      perSecond: rate,
    };
  } finally {
    child.kill('SIGKILL');
    if (what.sink === 'file') await rm(path, { force: true });
  }
}

function start({ side, kind, sink, filter }: Run, path: string): ChildProcess {
  const stdio = ['ignore', 'pipe', side === 'ours' ? 'inherit' : 'pipe'] as const;
  if (side === 'ours') {
    const ours = kind === 'write' ? 'file' : kind;
    const argv = ['--conditions=source', receiver, ours, 'right', path, filter];
    return spawn(process.execPath, argv, { stdio: [...stdio] });
  }
  const words = filter === '' ? [] : [filter];
  // As large a buffer as our rings have; into a file readable for root only, as ours.
  const argv = [
    '-i',
    'right',
    '-n',
    '-p',
    '-B',
    '65536',
    '-Z',
    'root',
    '-w',
    sink === 'null' ? '/dev/null' : path,
  ];
  return spawn('tcpdump', [...argv, ...words], { stdio: [...stdio] });
}

/** Time on a processor of all threads, from /proc/PID/task/TID/schedstat. */
async function cpuNs(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '0')),
  );
  return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}

function ourCounts(lines: readonly string[]): [number, number] {
  const { packets, dropped } = JSON.parse(lines.at(-1) ?? '{}') as { packets: number; dropped: number };
  return [packets, dropped];
}

function tcpdumpCounts(lines: readonly string[]): [number, number] {
  const number = (pattern: RegExp): number =>
    Number(lines.map((line) => pattern.exec(line)?.[1]).find(Boolean));
  return [number(/^(\d+) packets? captured/), number(/^(\d+) packets? dropped by kernel/)];
}
