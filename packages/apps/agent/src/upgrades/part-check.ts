import { createHash, type Hash } from 'node:crypto';

import { UpgradeError } from './errors.ts';
import type { InstallerPart } from './installer-manifest.ts';

/** Hashes a file on its way, and proves each of its parts as soon as all of it is there. */
export class PartCheck {
  readonly #name: string;
  readonly #parts: readonly InstallerPart[];
  /** Undefined when the only part is the whole. */
  readonly #whole: Hash | undefined;
  #hash: Hash = createHash('sha256');
  #index = 0;
  #inPart = 0;

  constructor(name: string, parts: readonly InstallerPart[]) {
    this.#name = name;
    this.#parts = parts;
    this.#whole = parts.length > 1 ? createHash('sha256') : undefined;
  }

  /** @throws {UpgradeError} `ERR_UPGRADE_IMAGE` for a part that is another one, and for bytes behind the last. */
  update(bytes: Uint8Array): void {
    this.#whole?.update(bytes);
    for (let at = 0; at < bytes.length;) {
      const part = this.#parts[this.#index];
      if (part === undefined) throw this.#damaged();
      const taken = bytes.subarray(at, at + part.size - this.#inPart);
      this.#hash.update(taken);
      this.#inPart += taken.length;
      at += taken.length;
      if (this.#inPart === part.size) this.#next(part);
    }
  }

  /**
   * @returns the SHA-256 of all of it, in hex.
   * @throws {UpgradeError} `ERR_UPGRADE_IMAGE` when some of it did not come.
   */
  end(): string {
    const [first] = this.#parts;
    if (first === undefined || this.#index < this.#parts.length) throw this.#damaged();
    return this.#whole?.digest('hex') ?? first.sha256;
  }

  #next({ sha256 }: InstallerPart): void {
    if (this.#hash.digest('hex') !== sha256) throw this.#damaged();
    this.#hash = createHash('sha256');
    this.#index += 1;
    this.#inPart = 0;
  }

  #damaged(): UpgradeError {
    return new UpgradeError('ERR_UPGRADE_IMAGE', `${this.#name} is not what the signed manifest names`);
  }
}
