import { createInterface } from 'node:readline';

import type { GuestProcess, RigMachine } from '../src/index.ts';
import type { Guesses, Request } from './inside/volume-keys.ts';
import type { Opened } from './key-specs.ts';

type Answer<R extends Request> = R extends { readonly do: 'open' }
  ? Opened
  : R extends { readonly do: 'guess-pins' }
    ? Guesses
    : null;

/** A process in a machine that does things to volumes and their keys, until the machine is off. */
export class VolumeKeys {
  readonly #process: GuestProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(process: GuestProcess) {
    this.#process = process;
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  static start(machine: RigMachine): VolumeKeys {
    const argv = ['node', '--conditions=source', 'hw-tests/test/inside/volume-keys.ts'] as const;
    return new VolumeKeys(machine.start(argv, { keepInput: true }));
  }

  /** One after another. */
  async ask<const R extends readonly Request[]>(...requests: R): Promise<{ [I in keyof R]: Answer<R[I]> }> {
    this.#process.write(Buffer.from(`${JSON.stringify(requests)}\n`));
    const { value, done } = await this.#lines.next();
    if (done !== true) return JSON.parse(value) as { [I in keyof R]: Answer<R[I]> };
    const stderr = Buffer.concat(await this.#process.stderr.toArray());
    throw new Error(`volume-keys ended: ${stderr.toString()}`);
  }
}
