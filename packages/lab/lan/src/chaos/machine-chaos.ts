import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ended } from '@nodecore/sys';

import { LanError } from '../errors.ts';
import { memberEnvironment } from '../holder.ts';
import type { Namespace } from '../namespace.ts';
import { ownProgram } from '../own-program.ts';
import type { LanSpec } from '../spec.ts';
import type { ToChaos } from './chaos-main.ts';
import { backCommand, betweenCommands, type ChaosDevices, nftRules, tcCommands } from './commands.ts';
import { type Chaos, isOfKernel } from './effects.ts';

/** What happens to the frames of one machine. Changes are made one after another by its owner. */
export class MachineChaos {
  readonly #namespace: Namespace;
  readonly #devices: ChaosDevices;
  readonly #mtu: number;
  readonly #directory: string;
  #child: ChildProcess | undefined;

  /** @param directory of the network, for the commands of its programs */
  constructor(namespace: Namespace, { hosts, mtu }: LanSpec, tap: string, directory: string) {
    const number = hosts.findIndex((host) => host.tap === tap);
    this.#namespace = namespace;
    this.#devices = { tap, near: `cn${number}`, far: `cf${number}` };
    this.#mtu = mtu;
    this.#directory = directory;
  }

  /** Whether somebody has set it and not cleared it, perhaps a process that was killed. */
  async isSet(): Promise<boolean> {
    return await access(this.#file('nft')).then(
      () => true,
      () => false,
    );
  }

  /** Makes it so, whatever was before. */
  async set(chaos: Chaos): Promise<void> {
    const isNeeded = !(isOfKernel(chaos.to) && isOfKernel(chaos.from));
    if (isNeeded) {
      // What a killed owner leaves is known by the file of the rules: it is there before anything else is.
      if (!(await this.isSet())) await writeFile(this.#file('nft'), '');
      if (this.#child === undefined || hasEnded(this.#child)) await this.#begin(chaos);
      else await ask(this.#child, { chaos });
      await this.#batch('tc', tcCommands(this.#devices, chaos));
    }
    await this.#batch('nft', nftRules(this.#devices, chaos, isNeeded));
    if (isNeeded) await this.#batch('ip', betweenCommands(this.#devices, this.#mtu));
    else await this.#end();
  }

  /** Frames pass as if nothing had been. Twice is fine. */
  async clear(): Promise<void> {
    await this.#batch('nft', nftRules(this.#devices, undefined, false));
    await this.#end();
    await rm(this.#file('nft'));
  }

  /** The process goes on without this one, and what it does to frames. */
  release(): void {
    if (this.#child?.connected === true) this.#child.disconnect();
    this.#child?.unref();
    this.#child = undefined;
  }

  async #begin(chaos: Chaos): Promise<void> {
    const { near, far } = this.#devices;
    const child = await startProcess(this.#namespace);
    this.#child = child;
    try {
      await ask(child, { devices: { near, far }, chaos });
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  /** The tap is on the bridge before the process goes. */
  async #end(): Promise<void> {
    await this.#namespace.run(backCommand(this.#devices));
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    if (child !== undefined) await ended(child);
  }

  async #batch(program: 'ip' | 'tc' | 'nft', lines: string): Promise<void> {
    const file = this.#file(program);
    await writeFile(file, lines, { mode: 0o600 });
    await this.#namespace.run([program, program === 'nft' ? '-f' : '-batch', file]);
  }

  #file(program: string): string {
    return join(this.#directory, `${this.#devices.tap}.${program}`);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** It is in the namespace before it is anything else, and ends with that. */
async function startProcess(namespace: Namespace): Promise<ChildProcess> {
  const { argv, env: own } = ownProgram('chaos/chaos-main');
  const env = memberEnvironment(namespace.name, own);
  const [file, ...words] = namespace.inside(argv);
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = spawn(file, words, { stdio: [...stdio], env, detached: true });
  await answerOf(child, 'ready');
  return child;
}

async function ask(child: ChildProcess, message: ToChaos): Promise<void> {
  const answered = answerOf(child, 'done');
  child.send(message, () => {}); // a child that is gone is seen by its exit
  await answered;
}

async function answerOf(child: ChildProcess, expected: string): Promise<void> {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    const gone = once(child, 'exit', { signal }).then(() => ['it ended at once']);
    const [said] = (await Promise.race([once(child, 'message', { signal }), gone])) as [string];
    if (said !== expected) throw new LanError('ERR_LAN_INSIDE', `the process of chaos: ${said}`);
  } finally {
    answered.abort();
  }
}
