import { Agent } from './agent.ts';
import { createLog, type Log } from './log.ts';
import { parseOptions } from './options.ts';

/** Runs the agent until it is told to stop. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { logLevel, ...options } = parseOptions(argv);
  const log = createLog(logLevel);
  endOnDefect(log);
  const stop = stopSignal();
  let agent: Agent;
  try {
    agent = await Agent.start({ ...options, log });
  } catch (error) {
    log.fatal({ err: error }, 'the agent can not start');
    return 1;
  }
  log.info({ ...agent.address, pid: process.pid }, 'listening');
  await stop;
  try {
    await agent.stop();
    return 0;
  } catch (error) {
    log.error({ err: error }, 'the agent did not end cleanly');
    return 1;
  }
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
