import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { mounts } from '@nodecore/block';
import { Courtesy, MountPoint, trim, type TrimOptions, type TrimReport } from '@nodecore/trim';

import { runProgram, sparseFile } from './program.ts';

const mib = 1 << 20;
const fileBytes = 8 * mib;
const files = 192;

/** A filesystem of 2 GiB on a loop device, of which every second file is removed again and again. */
export class TrimScene {
  readonly target: string;
  readonly #image: string;
  readonly #content = randomBytes(fileBytes);

  private constructor(target: string, image: string) {
    this.target = target;
    this.#image = image;
  }

  static async make(stack: AsyncDisposableStack, type: 'ext4' | 'xfs'): Promise<TrimScene> {
    const image = await sparseFile(stack, 2048 * mib);
    const device = (await runProgram(['losetup', '--find', '--show', image])).trim();
    stack.defer(async () => void (await runProgram(['losetup', '--detach', device])));
    await runProgram([`mkfs.${type}`, '-q', type === 'ext4' ? '-F' : '-f', device]);
    const target = join(dirname(image), 'target');
    await mounts.mount({ source: device, target, type });
    stack.defer(() => mounts.unmount(target));
    return new TrimScene(target, image);
  }

  /** What a trim finds: 1.5 GiB were written, half of it is free again, and nothing of it is discarded yet. */
  async soil(): Promise<void> {
    const directory = join(this.target, 'files');
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory);
    for (let file = 0; file < files; file += 1) await writeFile(join(directory, `${file}`), this.#content);
    await runProgram(['sync', '-f', this.target]);
    for (let file = 0; file < files; file += 2) await rm(join(directory, `${file}`));
    await runProgram(['sync', '-f', this.target]);
    await runProgram(['sync', '-f', this.#image]);
  }

  /** What the image takes on its disk. */
  async usedMib(): Promise<number> {
    await runProgram(['sync', '-f', this.#image]);
    return ((await stat(this.#image)).blocks * 512) / mib;
  }

  async ours(options: Omit<TrimOptions, 'courtesy'> = {}): Promise<TrimReport> {
    const mounted = await MountPoint.find(this.target);
    if (mounted === undefined) throw new Error(`nothing is mounted on ${this.target}`);
    // As courteous as ever, on a machine where nobody waits: what else this one does is no question here.
    const courtesy = new Courtesy({ read: async () => ({ totalMicros: 0n, recent: 0 }) });
    return await trim(mounted, { courtesy, ...options });
  }

  async peer(): Promise<void> {
    await runProgram(['fstrim', this.target]);
  }

  /** Milliseconds that something takes on a filesystem that was just soiled. */
  async timed(work: () => Promise<unknown>): Promise<number> {
    await this.soil();
    const started = performance.now();
    await work();
    return performance.now() - started;
  }
}
