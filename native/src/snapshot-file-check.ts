import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonSnapshotFileCheck } from './snapshot-addon.ts';
import { toEnd, type SnapshotEnd } from './snapshot-verdict.ts';

/** Checks a snapshot that is a file already, on threads of its own. */
export class SnapshotFileCheck extends Handle<AddonSnapshotFileCheck> {
  readonly #path: string;

  /** `hashes`: the digest is computed, too, by another thread. It takes longer than all the rest. */
  static open(path: string, { hashes }: { readonly hashes: boolean }): SnapshotFileCheck {
    const { SnapshotFileCheck: Native } = addon();
    return new SnapshotFileCheck(
      translated(path, () => new Native(path, hashes)),
      path,
    );
  }

  private constructor(native: AddonSnapshotFileCheck, path: string) {
    super(native, 'snapshot check');
    this.#path = path;
  }

  /** Resolves every few megabytes with undefined, and in the end with how it ended: abandoned, when it was closed. */
  async next(): Promise<SnapshotEnd | undefined> {
    if (!(await this.readable())) return { end: 'abandoned' };
    this.native.acknowledge();
    const result = this.native.look();
    return result === undefined ? undefined : toEnd(result, this.#path);
  }

  /** Bytes that were checked, of those the file has; that is 0 until it is open. */
  progress(): { readonly checkedBytes: bigint; readonly fileBytes: bigint } {
    const [checkedBytes = 0n, fileBytes = 0n] = this.native.progress();
    return { checkedBytes, fileBytes };
  }

  /** It ends before the next piece. */
  abandon(): void {
    this.native.abandon();
  }
}
