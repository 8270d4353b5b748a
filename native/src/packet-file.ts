import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonPacketFile } from './packet-addon.ts';
import { toProgress, type PacketProgress } from './packet-progress.ts';
import { filterBytes, type PacketRingOptions, ringNumbers, within } from './packet-ring-options.ts';

export type PacketFileOptions = {
  readonly rings: readonly PacketRingOptions[];
  /** Longest record's data. */
  readonly snapLength: number;
  /** How long packets may gather while many come; default 100 ms. */
  readonly maxHoldMs?: number;
  /** The file is `stem + suffix`; in a ring of files `stem + '-00000' + suffix` and so on. None may exist. */
  readonly stem: string;
  readonly suffix: string;
  readonly format: 'pcap' | 'pcapng';
  /** What each file begins with: the file's header. At most 64 KiB. */
  readonly preamble: Uint8Array;
  /**
   * What the last file ends with, also when the disk is full: whole pcapng blocks for the opener to fill in.
   * At most 64 KiB; none by default.
   */
  readonly epilogue?: Uint8Array;
  /** Ends the capture; no limit by default. */
  readonly maxPackets?: bigint;
  /** Ends the capture before its records are more than that; no limit by default. */
  readonly maxBytes?: bigint;
  /** Goes on in the next file before this one is larger. */
  readonly fileBytes?: bigint;
  /** Goes on in the next file after so much time. */
  readonly fileSeconds?: number;
  /** Removes the oldest files of the ring beyond that number; 0 keeps all. */
  readonly keepFiles?: number;
};

/** What the files hold. */
export type PacketFileWritten = {
  /** The last file. */
  readonly path: string;
  readonly packets: bigint;
  /** Of records, without preambles. */
  readonly bytes: bigint;
  /** The last file ends with the epilogue; false for a device, and where its disk had no room at all. */
  readonly hasEpilogue: boolean;
};

const longestPreamble = 1 << 16;

/** Packets of rings into files, by a thread of the addon: JavaScript sees none of them. Needs CAP_NET_RAW. */
export class PacketFile extends Handle<AddonPacketFile> {
  /** @throws {NativeError} EEXIST for a file that is there already; EPERM without CAP_NET_RAW. */
  static open(options: PacketFileOptions): PacketFile {
    const { rings, snapLength, maxHoldMs = 100, stem, suffix, format, preamble } = options;
    const { epilogue = new Uint8Array() } = options;
    const { maxPackets = 0n, maxBytes = 0n, fileBytes = 0n, fileSeconds = 0, keepFiles = 0 } = options;
    within('maxHoldMs', maxHoldMs, 0, 10_000);
    within('snapLength', snapLength, 1, 1 << 18);
    within('preamble.byteLength', preamble.byteLength, 0, longestPreamble);
    within('epilogue.byteLength', epilogue.byteLength, 0, longestPreamble);
    within('fileSeconds', fileSeconds, 0, 2 ** 31 - 1);
    within('keepFiles', keepFiles, 0, 2 ** 31 - 1);
    const { PacketFile: Native } = addon();
    const numbers = Uint32Array.from(rings.flatMap(ringNumbers));
    const filters = rings.map(filterBytes);
    const create = (): AddonPacketFile =>
      new Native(
        numbers,
        filters,
        maxHoldMs,
        stem,
        suffix,
        format === 'pcapng',
        snapLength,
        Buffer.from(preamble),
        maxPackets,
        maxBytes,
        fileBytes,
        fileSeconds,
        keepFiles,
        Buffer.from(epilogue),
      );
    return new PacketFile(translated(`${stem}${suffix}`, create));
  }

  private constructor(native: AddonPacketFile) {
    super(native, 'packet file');
  }

  /** Resolves when the sockets are gone; undefined when the handle was closed first. */
  async ended(): Promise<{ progress: PacketProgress; written: PacketFileWritten } | undefined> {
    while (await this.readable()) {
      this.native.acknowledge();
      const progress = this.progress();
      if (progress.closed) return { progress, written: this.native.written() };
    }
    return undefined;
  }

  /** No packet gets in any more; what was captured is still written, then it ends. */
  stop(): void {
    if (!this.closed) this.native.stop();
  }

  progress(): PacketProgress {
    return toProgress(this.native.look());
  }
}
