import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonSnapshotSink } from './snapshot-addon.ts';
import { SnapshotDownload, type SnapshotRequest } from './snapshot-download.ts';
import { toEnd, type SnapshotEnd } from './snapshot-verdict.ts';

export type SnapshotSinkOptions = {
  /** Where it goes, by way of `PATH.part`. */
  readonly path: string;
  /** A file that is there may be replaced; default false. */
  readonly replace?: boolean;
};

/**
 * Takes a snapshot of etcd as it comes and writes and checks it on a thread of its own. The file gets its name when all
 * of it is on the disk, the check found it sound and its digest is behind it; otherwise nothing is left.
 */
export class SnapshotSink extends Handle<AddonSnapshotSink> {
  readonly #path: string;

  static open({ path, replace = false }: SnapshotSinkOptions): SnapshotSink {
    const { SnapshotSink: Native } = addon();
    return new SnapshotSink(
      translated(path, () => new Native(path, replace)),
      path,
    );
  }

  private constructor(native: AddonSnapshotSink, path: string) {
    super(native, 'snapshot sink');
    this.#path = path;
  }

  /** That many bytes are to come: a disk without room for them is told of at once. Before the first of them. */
  expect(bytes: bigint): void {
    this.native.expect(bytes);
  }

  /** Copies as many of the bytes as there is room for, and says how many. The rest is for after {@link room}. */
  append(bytes: Uint8Array): number {
    return this.native.append(bytes);
  }

  /** A call that brings what goes here; the bytes of its connection are fed to it. */
  download(request: SnapshotRequest): SnapshotDownload {
    return new SnapshotDownload(request, this.native);
  }

  /** Resolves when there is room again, or when it has ended, which {@link end} tells. */
  async room(): Promise<void> {
    if (await this.readable()) this.native.acknowledge();
  }

  /** How it has ended; undefined while it goes on. */
  end(): SnapshotEnd | undefined {
    const result = this.native.look();
    return result === undefined ? undefined : toEnd(result, this.#path);
  }

  /** There are no more bytes. */
  finish(): void {
    this.native.finish();
  }

  /** Nothing is to be left of it. What has ended stays as it is. */
  abandon(): void {
    this.native.abandon();
  }

  /** Resolves when the file has its name, or is gone: after {@link finish} or {@link abandon}, or when it failed. */
  async ended(): Promise<SnapshotEnd> {
    for (;;) {
      const end = this.end();
      if (end !== undefined) return end;
      if (!(await this.readable())) return { end: 'abandoned' };
      this.native.acknowledge();
    }
  }
}
