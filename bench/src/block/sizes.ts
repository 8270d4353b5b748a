import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { type Client, decodeSpec } from '@nodecore/api';

import { runProgram } from '../program.ts';

/** Somebody who follows the sizes of disks. */
export type Sizes = {
  /** Resolves when the disk is known to have that size. */
  until(id: string, size: bigint): Promise<void>;
};

type Wanted = { readonly id: string; readonly size: bigint; readonly done: () => void };

/** Sizes as the agent publishes them: a watch of its `Disks` resources. */
export class AgentSizes implements Sizes, AsyncDisposable {
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  #wanted: Wanted | undefined;

  constructor(reader: Client) {
    this.#running = this.#follow(reader);
  }

  until(id: string, size: bigint): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted = { id, size, done: resolve };
    return Promise.race([promise, this.#running]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running.catch(() => {});
  }

  async #follow(reader: Client): Promise<void> {
    const messages = reader.watch({ type: 'Disks.block.nodecore.dev' }, { signal: this.#end.signal });
    for await (const { events } of messages) {
      for (const { resource } of events) {
        const wanted = this.#wanted;
        if (resource?.metadata?.id !== wanted?.id || wanted === undefined) continue;
        const { size } = decodeSpec(resource?.spec ?? new Uint8Array()) as { readonly size: bigint | number };
        if (BigInt(size) === wanted.size) wanted.done();
      }
    }
  }
}

/** Sizes by the usual programs: what is announced for a disk is the occasion to ask them. */
export class ProgramSizes implements Sizes, Disposable {
  readonly #monitor: ChildProcess;
  #announced: (id: string) => void = () => {};

  constructor() {
    const argv = ['monitor', '--kernel', '--subsystem-match=block'];
    this.#monitor = spawn('udevadm', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#monitor.stdout === null) throw new TypeError('udevadm has no output');
    createInterface({ input: this.#monitor.stdout }).on('line', (line) => {
      const path = /^KERNEL\[[^\]]*\] +\w+ +(\S+)/.exec(line)?.[1];
      if (path !== undefined) this.#announced(path.slice(path.lastIndexOf('/') + 1));
    });
  }

  async until(id: string, size: bigint): Promise<void> {
    for (;;) {
      const announced = Promise.withResolvers<void>();
      this.#announced = (name) => {
        if (name === id) announced.resolve();
      };
      await announced.promise;
      if ((await sizeNow(id)) === size) return;
    }
  }

  [Symbol.dispose](): void {
    this.#monitor.kill();
  }
}

/** The sizes of all disks, and what is on the one: what the agent finds out as well. */
async function sizeNow(id: string): Promise<bigint | undefined> {
  const facts = await runProgram(['lsblk', '--output-all', '--json', '--bytes']);
  await runProgram(['blkid', '--probe', '--output', 'export', `/dev/${id}`]).catch(() => ''); // nothing is on it
  const { blockdevices } = JSON.parse(facts) as {
    readonly blockdevices: readonly { readonly kname: string; readonly size: number }[];
  };
  const size = blockdevices.find(({ kname }) => kname === id)?.size;
  return size === undefined ? undefined : BigInt(size);
}
