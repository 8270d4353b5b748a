/**
 * The place of the capture benches: a network namespace with a wire, in which one receiver at a time is measured. Runs
 * as a child (`unshare --net node stage.ts`) and answers messages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { capModule } from './cap.ts';
import { flood, layWire } from './flood.ts';
import { processorNs } from './processor-time.ts';
import type { Measured, Run, Told } from './protocol.ts';
import { tcpdumpCounts } from './tcpdump-counts.ts';

const receiver = fileURLToPath(new URL('receiver.ts', import.meta.url));
const capReceiver = fileURLToPath(new URL('cap-receiver.ts', import.meta.url));
/** tcpdump asks for blocks after a second at the latest, ours after a quarter. */
const settleMs = 1300;

await layWire();
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
  const isTcpdump = what.side === 'tcpdump';
  try {
    const lines: string[] = [];
    const reader = createInterface({ input: isTcpdump ? child.stderr! : child.stdout! });
    reader.on('line', (line) => lines.push(line));
    const ended = once(child, 'close');
    const line = async (): Promise<void> => {
      await Promise.race([once(reader, 'line'), ended]);
    };
    const tell = async (): Promise<Told> => {
      child.kill('SIGUSR2');
      await line();
      return JSON.parse(lines.at(-1) ?? '{}') as Told;
    };
    await line();
    const { count, perSecond, warmUp } = what;
    const send = (frames: number): Promise<number> => flood(what, frames);
    const settled = async (frames: number): Promise<number> => {
      const rate = await send(frames);
      await setTimeout(settleMs);
      return rate;
    };
    // A program that has just started is not what a capture of hours costs.
    if (warmUp > 0) await settled(warmUp);
    const isPrompt = what.kind === 'prompt';
    if (isPrompt) {
      await tell();
      await setTimeout(settleMs);
    }
    const told = isPrompt || what.side === 'cap' ? await tell() : undefined;
    const before = await processorNs(child.pid ?? 0);
    const sent = what.kind === 'stop' ? send(count) : settled(count);
    if (what.kind === 'stop') await setTimeout((count / perSecond) * 500);
    const rate = what.kind === 'stop' ? perSecond : await sent;
    const after = await processorNs(child.pid ?? 0);
    const flow = isPrompt ? await tell() : undefined;
    child.kill('SIGINT');
    await ended;
    await sent;
    const all = isTcpdump ? tcpdumpCounts(lines) : (JSON.parse(lines.at(-1) ?? '{}') as Told);
    const reached = what.side === 'cap' ? all.packets - (told?.packets ?? 0) : count;
    return {
      ...all,
      ...flow,
      nsPerPacket: (after - before) / reached,
      perSecond: rate,
      ...(told?.loopDelayMs !== undefined && { idleDelayMs: told.loopDelayMs }),
    };
  } finally {
    child.kill('SIGKILL');
    if (what.sink === 'file') await rm(path, { force: true });
  }
}

function start({ side, kind, sink, filter }: Run, path: string): ChildProcess {
  const stdio = ['ignore', 'pipe', side === 'ours' ? 'inherit' : 'pipe'] as const;
  if (side !== 'tcpdump') {
    const words =
      side === 'ours' ? [receiver, kind, 'right', path, filter] : [capReceiver, capModule, 'right'];
    return spawn(process.execPath, ['--conditions=source', ...words], { stdio: [...stdio] });
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
