import { loopDevice, output } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** What it does from now on: an error for every read and write, an error for every write, or nothing for any write. */
export type Trouble = 'failing' | 'failing writes' | 'dropping writes';

/**
 * A disk that hangs, fails or lies when it is told to: a loop device (the life cycle takes no mapping for a disk) on a
 * device-mapper target on a file. Everything goes away after the test, and the disk is well again before that.
 */
export class TroubledDisk {
  /** What to use: `/dev/loop3`. */
  readonly path: string;
  readonly #name: string;
  readonly #below: string;
  readonly #sectors: string;

  private constructor(path: string, name: string, below: string, sectors: string) {
    this.path = path;
    this.#name = name;
    this.#below = below;
    this.#sectors = sectors;
  }

  static async attach(t: ExecutionContext, name: string, sizeMib: number): Promise<TroubledDisk> {
    const { path: below } = await loopDevice(t, { sizeBytes: sizeMib << 20 });
    const sectors = `${sizeMib * 2048}`;
    await output(['dmsetup', 'create', name, '--table', `0 ${sectors} linear ${below} 0`]);
    t.teardown(async () => {
      await output(['dmsetup', 'resume', name]); // does nothing to a disk that answers
      await output(['dmsetup', 'remove', '--retry', name]);
    });
    // Past the page cache of the mapping, which would keep an error until somebody synchronises.
    const { path } = await loopDevice(t, { file: `/dev/mapper/${name}`, directIo: true });
    return new TroubledDisk(path, name, below, sectors);
  }

  /** From now on nothing is answered. */
  async hang(): Promise<void> {
    await output(['dmsetup', 'suspend', '--noflush', '--nolockfs', this.#name]);
  }

  /** Answers what it owes, and everything from now on. */
  async answer(): Promise<void> {
    await output(['dmsetup', 'resume', this.#name]);
  }

  async trouble(trouble: Trouble): Promise<void> {
    // A flakey target that is never up. It drops discards with the writes, and says that all went well.
    const flakey = (feature: string): string => `flakey ${this.#below} 0 0 3600 1 ${feature}`;
    const targets = {
      failing: 'error',
      'failing writes': flakey('error_writes'),
      'dropping writes': flakey('drop_writes'),
    };
    await this.#become(targets[trouble]);
  }

  async heal(): Promise<void> {
    await this.#become(`linear ${this.#below} 0`);
  }

  /** The bytes that are really there, as a digest. */
  async digest(): Promise<string> {
    return (await output(['sha256sum', this.#below])).slice(0, 64);
  }

  async #become(target: string): Promise<void> {
    await output(['dmsetup', 'load', this.#name, '--table', `0 ${this.#sectors} ${target}`]);
    await output(['dmsetup', 'suspend', '--noflush', '--nolockfs', this.#name]);
    await output(['dmsetup', 'resume', this.#name]);
  }
}
