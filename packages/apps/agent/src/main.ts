import { allowSlowProofs } from '@nodecore/block';
import { systemClock, within } from '@nodecore/waiting';

import type { AgentOptions } from './agent-options.ts';
import { Agent } from './agent.ts';
import { reboot, writeBack } from './ffi.ts';
import { createLog, type Log } from './log.ts';
import { protectMemory } from './memory.ts';
import { parseOptions } from './options.ts';
import type { Ending } from './node.ts';
import { keepOutOfSwap } from './swap.ts';

/** Filesystems that are not the node's own have as long to be written back before the machine begins anew. */
const writeBackMs = 30_000;

/** Runs the agent until it is told to stop; after a reset, anew, or the machine. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { logLevel, proofLimit, ...options } = parseOptions(argv);
  const log = createLog(logLevel);
  endOnDefect(log);
  await protectMemory(log);
  await keepOutOfSwap(log);
  if (proofLimit !== undefined) allowSlowProofs(proofLimit * 1000);
  const stop = stopSignal().then(() => 'stop' as const);
  for (;;) {
    const ending = await runOnce({ ...options, log }, stop);
    if (typeof ending === 'number') return ending;
    log.info({ ending }, 'the node was reset');
    if (ending !== 'reboot') continue;
    await within(systemClock, writeBackMs, writeBack());
    if (!reboot()) log.error('the kernel does not begin the machine anew: the agent does');
  }
}

/** One life of the agent. @returns what comes after it: the exit code, or another one. */
async function runOnce(options: AgentOptions, stop: Promise<'stop'>): Promise<Ending | number> {
  const { log } = options;
  let agent: Agent;
  try {
    agent = await Agent.start(options);
  } catch (error) {
    log.fatal({ err: error }, 'the agent can not start');
    return 1;
  }
  log.info({ ...agent.address, pid: process.pid }, 'listening');
  const ending = await Promise.race([stop, agent.ending]);
  try {
    await agent.stop();
  } catch (error) {
    log.error({ err: error }, 'the agent did not end cleanly');
    return 1;
  }
  return ending === 'stop' ? 0 : ending;
}

/** Resolves at the first request to end; a second one ends the process as it is, as a kill would. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      resolve();
      process.once(signal, () => process.exit(1));
    });
  }
  return promise;
}

/** After a defect nothing in memory is to be trusted; what is on disk is. The next start takes over from there. */
function endOnDefect(log: Log): void {
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'defect');
    process.exit(70); // EX_SOFTWARE of sysexits.h
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
