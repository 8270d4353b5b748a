import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Machine, type MachineSpec } from '@nodecore/machine';

import { type Loss, losePower } from './lose-power.ts';
import { RecordFollower } from './record-follower.ts';

/**
 * A machine whose power is cut: each start has a record of what it writes, and a cut leaves the disk as that record says, without what
 * nobody had flushed. Ends with this process.
 */
export class CutNode implements AsyncDisposable {
  readonly #spec: MachineSpec;
  readonly #directory: string;
  readonly #disk: string;
  #machine: Machine | undefined;
  #started = Promise.resolve();

  /**
   * @param spec with the disk's size in `disks`
   * @param files directory of the machine, and its disk
   */
  constructor(spec: MachineSpec, files: { readonly directory: string; readonly disk: string }) {
    this.#spec = spec;
    this.#directory = files.directory;
    this.#disk = files.disk;
  }

  /** What it was before it was switched on. */
  get base(): string {
    return join(this.#directory, 'base.raw');
  }

  /** What it wrote since. */
  get record(): string {
    return join(this.#directory, 'record');
  }

  get deviceBytes(): number {
    return this.#spec.disks[0]?.sizeBytes ?? 0;
  }

  /** Switches it on, and on again when its system resets it. */
  async powerOn(): Promise<void> {
    await promisify(execFile)('cp', ['--sparse=always', this.#disk, this.base]);
    await rm(this.record, { force: true });
    await writeFile(this.record, '');
    const disks = this.#spec.disks.map((disk) => ({ ...disk, file: this.#disk, record: this.record }));
    const machine = await Machine.open(
      { ...this.#spec, disks },
      {
        directory: join(this.#directory, 'machine'),
        onState: (state, reason) => {
          if (state === 'off' && reason === 'guest-reset') this.#started = this.#again(machine);
        },
      },
    );
    this.#machine = machine;
    await machine.powerOn();
  }

  /** Follows what it writes from now on. */
  async follow(): Promise<RecordFollower> {
    return await RecordFollower.open(this.record, this.deviceBytes);
  }

  /** Where its console is. */
  get directory(): string {
    return join(this.#directory, 'machine');
  }

  /** Takes its power away. @returns what that has cost */
  async cut(random: () => number): Promise<Loss> {
    await this.#started;
    await this.#machine?.close();
    const { base, record, deviceBytes } = this;
    return await losePower({ base, record, deviceBytes, disk: this.#disk }, random);
  }

  /** An end that loses nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.catch(() => {});
    await this.#machine?.close();
  }

  async #again(before: Machine): Promise<void> {
    await before.close();
    await this.powerOn();
  }
}
