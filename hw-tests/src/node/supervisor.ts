import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { identityOf } from '@nodecore/sys';
import { Backoff, onAbort, systemClock } from '@nodecore/waiting';

import { type AgentProcess, startAgent } from './host-agent.ts';
import { type NodePhase, type NodeRecord, removeRecord, writeRecord } from './record.ts';

export type SupervisorOptions = {
  readonly directory: string;
  readonly port: number;
  /** Where a debugger of the agent is attached, on 127.0.0.1. */
  readonly inspectPort?: number;
};

/** The agent unmounts and locks its volumes first; a disk that hangs must not hold the end up for ever. */
const stopLimitMs = 60_000;

/**
 * Keeps an agent on this host running until this process is told to stop: starts it again when it ends, and keeps the node's
 * record true. A virtual node has the keeper of its cluster instead.
 */
export async function supervise(options: SupervisorOptions, stop: AbortSignal): Promise<void> {
  const supervisor = identityOf(process.pid);
  if (supervisor === undefined) throw new TypeError('/proc is not mounted');
  const report = new Reporter({ ...options, supervisor, phase: 'booting' });
  try {
    await mkdir(options.directory, { recursive: true });
    report.set('booting');
    await keepAgent(options, report, stop);
  } catch (error) {
    if (!stop.aborted) {
      report.set('failed', { error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  } finally {
    await report.written;
  }
  await removeRecord(options.directory);
}

async function keepAgent(options: SupervisorOptions, report: Reporter, stop: AbortSignal): Promise<void> {
  const backoff = new Backoff({ firstMs: 500, largestMs: 30_000 });
  const log = createWriteStream(join(options.directory, 'agent.log'), { flags: 'a', mode: 0o600 });
  try {
    while (!stop.aborted) {
      report.set('starting');
      const agent = await startAgent(options);
      for (const stream of [agent.stdout, agent.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          log.write(`${line}\n`);
          report.agentSaid(line);
        });
      }
      await endedOrStopped(agent, stop);
      if (!stop.aborted) await systemClock.sleep(backoff.next(), stop).catch(() => {});
    }
  } finally {
    log.end();
  }
}

async function endedOrStopped(agent: AgentProcess, stop: AbortSignal): Promise<void> {
  using _listener = onAbort(stop, () => {
    agent.kill('SIGTERM');
    setTimeout(() => agent.kill('SIGKILL'), stopLimitMs).unref();
  });
  await agent.exited;
}

/** Turns what the agent logs into the node's record; writes happen in order. */
class Reporter {
  #record: NodeRecord;
  written: Promise<void> = Promise.resolve();

  constructor(record: NodeRecord) {
    this.#record = record;
  }

  set(phase: NodePhase, more: { readonly fingerprint?: string; readonly error?: string } = {}): void {
    const { fingerprint: _fingerprint, error: _error, ...lasting } = this.#record;
    const record = { ...lasting, phase, ...more };
    this.#record = record;
    this.written = this.written.then(() => writeRecord(record));
  }

  agentSaid(line: string): void {
    const { msg, fingerprint } = logLine(line);
    if (msg?.startsWith('maintenance: ') === true && fingerprint !== undefined) {
      this.set('maintenance', { fingerprint });
    }
    if (msg === 'configuration is active') this.set('configured');
  }
}

/** The agent's log is one JSON object per line; anything else, such as a crash report, is for people. */
function logLine(line: string): { readonly msg?: string; readonly fingerprint?: string } {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
