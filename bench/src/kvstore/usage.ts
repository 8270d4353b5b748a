import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second (proc_pid_stat(5)). */
const msPerTick = 10;

/** What a piece of work cost, in milliseconds. */
export type Cost = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the server meanwhile. */
  readonly serverMs: number;
};

/** The same of a program, with the largest resident memory it has had. */
export type ProgramCost = Cost & { readonly memoryMib: number };

/** Processor time of a running process; of those it has waited for instead, with `children`. */
export function cpuMs(pid: number | 'self', children = false): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const first = children ? 13 : 11;
  return (Number(fields[first]) + Number(fields[first + 1])) * msPerTick;
}

/** What a program costs from its start to its end. */
export async function costOfProgram(
  argv: readonly [string, ...string[]],
  serverPid: number,
): Promise<ProgramCost> {
  const [file, ...args] = argv;
  const server = cpuMs(serverPid);
  const before = cpuMs('self', true);
  const started = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let memoryMib = 0;
  const watch = setInterval(() => {
    memoryMib = Math.max(memoryMib, peakMib(child.pid));
  }, 10);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  const wallMs = performance.now() - started;
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${said}`);
  return { wallMs, cpuMs: cpuMs('self', true) - before, serverMs: cpuMs(serverPid) - server, memoryMib };
}

/** What work in this process costs, its threads and all. */
export async function costOfWork(work: () => Promise<unknown>, serverPid: number): Promise<Cost> {
  const server = cpuMs(serverPid);
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const used = process.cpuUsage(before);
  return {
    wallMs,
    cpuMs: (used.user + used.system) / 1000,
    serverMs: cpuMs(serverPid) - server,
  };
}

function peakMib(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has just ended
  }
}
