import { readFile } from 'node:fs/promises';

import { allowSlowProofs } from '@nodecore/block';
import { systemClock, within } from '@nodecore/waiting';
import { endOnDefect, stopSignal } from '@nodecore/sys';

import type { AgentOptions } from './agent-options.ts';
import { Agent } from './agent.ts';
import { checkConfig } from './check-config.ts';
import { containerOf, exitCodes } from './container/container.ts';
import { reboot, writeBack } from './ffi.ts';
import { spareMemory } from './freed-memory.ts';
import { KernelLog, type LogDestination } from './image/kmsg.ts';
import { imagePaths } from './image/paths.ts';
import { type SlowMachine, slowMachineOf } from './image/slow-machine.ts';
import { InitChannel } from './init/init-channel.ts';
import { LogRing } from './link/log-ring.ts';
import { createLog, type Log, standardOutput } from './log.ts';
import { protectMemory } from './memory.ts';
import { parseOptions } from './options.ts';
import type { Ending } from './ending.ts';
import { keepOutOfSwap } from './swap.ts';
import { raiseClock } from './time/clock-floor.ts';

/** Filesystems that are not the node's own have as long to be written back before the machine begins anew. */
const writeBackMs = 30_000;

/** What hangs must not keep the machine from its end. */
const stopMs = 300_000;

/** Runs the agent until it is told to stop; after a reset, anew, or the machine. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { logLevel, image, checkConfig: file, ...flags } = parseOptions(argv);
  if (file !== undefined) {
    return await checkConfig(file, {
      out: (line) => process.stdout.write(`${line}\n`),
      error: (line) => process.stderr.write(`${line}\n`),
    });
  }
  const lines = image ? undefined : LogRing.ofThisBoot();
  const log = createLog(logLevel, lines === undefined ? new KernelLog() : copied(lines));
  endOnDefect((error) => log.fatal({ err: error }, 'defect'));
  if (image) await raiseClock({ log, osRelease: imagePaths.osRelease }); // before a certificate is made
  await protectMemory(log);
  await keepOutOfSwap(log);
  const { proofLimit, ...options } = { ...(image && (await slowMachine(log))), ...flags };
  if (proofLimit !== undefined) allowSlowProofs(proofLimit * 1000);
  spareMemory(log);
  const stop = stopSignal().then(() => 'stop' as const);
  const init = InitChannel.inherited(log);
  const container = containerOf();
  // For as long as the process lives: also while volumes are unmounted PID 1 is to see that the loop turns.
  void init?.keepAlive(systemClock, new AbortController().signal);
  for (;;) {
    const given = {
      ...options,
      ...(image && { image: imagePaths }),
      ...(init && { init }),
      ...(container && { container }),
      ...(lines && { lines }),
    };
    const ending = await runOnce({ ...given, log }, stop);
    if (typeof ending === 'number') return ending;
    log.info({ ending }, 'the agent has ended');
    if (ending === 'restart') continue;
    if (container !== undefined) return exitCodes[ending];
    if (init !== undefined) {
      init.say(ending);
      await stop; // PID 1 ends all others first
      return 0;
    }
    await within(systemClock, writeBackMs, writeBack());
    if (!reboot()) log.error('the kernel does not begin the machine anew: the agent does');
  }
}

/** A wrong value is told and left: the machine starts without it. */
async function slowMachine(log: Log): Promise<SlowMachine> {
  try {
    return slowMachineOf(await readFile(imagePaths.kernelCommandLine, 'utf8'));
  } catch (error) {
    log.warn({ err: error }, 'os.key-derivation or os.proof-limit of the command line is left out');
    return {};
  }
}

/** Standard output, and what the fleet may ask for. */
function copied(lines: LogRing): LogDestination {
  const output = standardOutput();
  return {
    write: (line) => {
      output.write(line);
      lines.write(line);
    },
  };
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
  const endsMachine = options.init !== undefined && ending !== 'stop' && ending !== 'restart';
  try {
    if (!endsMachine) await agent.stop();
    else if ((await within(systemClock, stopMs, agent.stop())) === undefined)
      log.error('something does not end: the machine does');
  } catch (error) {
    log.error({ err: error }, 'the agent did not end cleanly');
    if (!endsMachine) return 1;
  }
  return ending === 'stop' ? 0 : ending;
}
