import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readyFile, tethered } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

export type SoftwareTpmOptions = {
  /** State of an earlier one: the same TPM again. A new TPM by default. */
  readonly stateDirectory?: string;
};

/**
 * A TPM 2.0 in a process of its own. All who use it share its three places for objects, command by command: the TCTI
 * connects anew for each.
 */
export type SoftwareTpm = {
  /** For `tpm.open`, `TPM2TOOLS_TCTI` and systemd's `--tpm2-device`. */
  readonly tcti: string;
  /** Path of the socket; commands and answers go over it as they are. */
  readonly socket: string;
  readonly stateDirectory: string;
  /** Off and on again: registers, sessions and loaded objects are gone; seeds, counters and persistent keys stay. */
  powerCycle(): Promise<void>;
  /** Twice is fine. */
  stop(): Promise<void>;
};

const socketName = 'tpm';
const pidFile = 'tpm.pid';

/** Starts swtpm, started up and with empty registers. It ends with the test, and with this process whatever happens to it. */
export async function softwareTpm(
  t: Pick<ExecutionContext, 'teardown'>,
  options: SoftwareTpmOptions = {},
): Promise<SoftwareTpm> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const { stateDirectory = join(directory, 'state') } = options;
  await mkdir(stateDirectory, { recursive: true });
  const socket = join(directory, socketName);
  let child: ChildProcess | undefined = await start(directory, stateDirectory);
  const stop = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
  t.teardown(stop);
  return {
    tcti: `swtpm:path=${socket}`,
    socket,
    stateDirectory,
    stop,
    powerCycle: async () => {
      await stop();
      child = await start(directory, stateDirectory);
    },
  };
}

async function start(directory: string, stateDirectory: string): Promise<ChildProcess> {
  for (const name of [socketName, `${socketName}.ctrl`, pidFile]) {
    await rm(join(directory, name), { force: true });
  }
  const swtpm = ['swtpm', 'socket', '--tpm2', '--tpmstate', `dir=${stateDirectory}`].concat(
    ['--server', `type=unixio,path=${socketName}`, '--ctrl', `type=unixio,path=${socketName}.ctrl`],
    ['--flags', 'not-need-init,startup-clear', '--pid', `file=${pidFile}`],
  );
  // What a sanitized addon needs preloaded in Node is not for programs.
  const env = { ...process.env, LD_PRELOAD: '' };
  const child = tethered(swtpm, { cwd: directory, stdio: 'ignore', env });
  await readyFile(
    child,
    join(directory, pidFile),
    (code) => new Error(`swtpm ended with ${code ?? 'a signal'}`),
  );
  return child;
}
