import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Run } from './protocol.ts';

const run = promisify(execFile);
const built = new URL('../../../native/build/', import.meta.url);
const programs = {
  bursts: { program: fileURLToPath(new URL('live_flood', built)), interface: 'right' },
  even: { program: fileURLToPath(new URL('flood', built)), interface: 'left' },
} as const;

export type Flood = Pick<Run, 'arrival' | 'frameBytes' | 'perSecond' | 'percent'>;

/** A wire in this network namespace, and nothing else on it. Frames come in on `right`. */
export async function layWire(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['link', 'add', 'left', 'type', 'veth', 'peer', 'name', 'right']);
  for (const name of ['left', 'right']) await run('ip', ['link', 'set', name, 'addrgenmode', 'none', 'up']);
}

/** @returns how many a second have come in. */
export async function flood(what: Flood, frames: number): Promise<number> {
  const { arrival, frameBytes, perSecond, percent } = what;
  const { program, interface: name } = programs[arrival];
  const numbers = [frameBytes, frames, perSecond, ...(arrival === 'bursts' ? [percent] : [])];
  const { stdout } = await run(program, [name, ...numbers.map(String)]);
  return Number(stdout.split(' ')[1]);
}
