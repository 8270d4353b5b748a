import { close } from './close.ts';
import { mappingPath } from './status.ts';

/** An open volume: the plain content of an encrypted device, at `path`. */
export class Volume implements AsyncDisposable {
  readonly name: string;
  readonly path: string;
  /** The keyslot that opened it. */
  readonly keyslot: number;

  /** Made by `open`. */
  constructor(name: string, keyslot: number) {
    this.name = name;
    this.path = mappingPath(name);
    this.keyslot = keyslot;
  }

  /** Removes the mapping. Twice is fine. @throws {LuksError} `ERR_LUKS_BUSY` when something still has it open. */
  async close(): Promise<void> {
    await close(this.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
