import { open } from 'node:fs/promises';
import { extname } from 'node:path';

import { PacketFile, type PacketFileWritten, type PacketProgress } from '@nodecore/native';
import { onAbort } from '@nodecore/waiting';

import { CaptureError } from './errors.ts';
import { captureFailure } from './failure.ts';
import { pcapHeader } from './formats/pcap-header.ts';
import { emptyStatistics, pcapngHeader, statisticsBlocks } from './formats/pcapng-blocks.ts';
import { type CaptureOptions, checkRange } from './options.ts';
import { type CapturedInterface, describeSource, prepareSources, type Source } from './source.ts';
import { type CaptureStatistics, toStatistics } from './statistics.ts';

export type FileOptions = CaptureOptions & {
  /** Default pcap, which holds packets of one link type; pcapng describes each interface and ends with what was lost. */
  readonly format?: 'pcap' | 'pcapng';
  /** For the first block of a pcapng file. */
  readonly comment?: string;
  /** Ends the capture after so many packets. */
  readonly packets?: bigint;
  /** Ends the capture before its records are more bytes than that. */
  readonly bytes?: bigint;
  /** Ends the capture after that time. */
  readonly durationMs?: number;
  /** Goes on in the next file before this one is larger, or after that time. Names get a number: `a-00000.pcap`. */
  readonly nextFile?: { readonly bytes?: bigint; readonly seconds?: number; readonly keep?: number };
  readonly signal?: AbortSignal;
};

/** How a capture into files has ended. */
export type FileSummary = {
  /** The last file. */
  readonly path: string;
  readonly packets: bigint;
  /** Of records, file headers not counted. */
  readonly bytes: bigint;
  /** Stopped, or at a limit. */
  readonly end: 'stopped' | 'enough';
  readonly statistics: CaptureStatistics;
};

/** A file is for later: the kernel may gather packets for longer. */
const retireMs = 250;
const gatherMs = 100;

/** Packets on their way into a file, by a thread of the addon: JavaScript sees none of them. */
export class FileCapture implements AsyncDisposable {
  readonly interfaces: readonly CapturedInterface[];
  readonly #native: PacketFile;
  readonly #format: 'pcap' | 'pcapng';
  readonly #started = BigInt(Date.now()) * 1_000_000n;
  readonly #listener: Disposable;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #summary: Promise<FileSummary>;
  #last: PacketProgress | undefined;

  /** @internal Use {@link captureToFile}. */
  constructor(native: PacketFile, sources: readonly Source[], options: FileOptions) {
    const { signal, durationMs, format = 'pcap' } = options;
    this.#native = native;
    this.#format = format;
    this.interfaces = sources.map(describeSource);
    this.#listener = onAbort(signal, () => this.stop());
    this.#timer = durationMs === undefined ? undefined : setTimeout(() => this.stop(), durationMs);
    this.#summary = this.#finish();
    this.#summary.catch(() => {}); // the caller that asks for it gets the error
  }

  /** Takes no more packets; those in the ring are still written. */
  stop(): void {
    this.#native.stop();
  }

  /**
   * How it ended, once everything is written.
   *
   * Of several interfaces one that went has ended only itself: `statistics` says why.
   *
   * @throws {CaptureError} `ERR_CAPTURE_DISK`: what was written before is whole; `ERR_CAPTURE_INTERFACE_DOWN` of the last.
   */
  async summary(): Promise<FileSummary> {
    return await this.#summary;
  }

  /** Up to now; after the end: of all of it. */
  statistics(): CaptureStatistics {
    const progress = this.#last ?? this.#native.progress();
    return toStatistics(
      this.interfaces.map((one) => one.name),
      progress,
    );
  }

  async #finish(): Promise<FileSummary> {
    try {
      const answer = await this.#native.ended();
      if (answer === undefined) throw new CaptureError('ERR_CAPTURE_FAILED', 'closed before its end');
      const { progress, written } = answer;
      this.#last = progress;
      const statistics = this.statistics();
      const { hasEpilogue, ...rest } = written;
      if (this.#format === 'pcapng') await this.#writeStatistics(written.path, hasEpilogue, statistics);
      if (progress.end === 'failed' || progress.end === undefined) throw this.#failure(progress, written);
      return { ...rest, end: progress.end, statistics };
    } finally {
      this.#listener[Symbol.dispose]();
      clearTimeout(this.#timer);
      this.#native.close();
    }
  }

  #failure({ failure, failedRing }: PacketProgress, { path }: PacketFileWritten): unknown {
    const on = failedRing === undefined ? path : (this.interfaces[failedRing]?.name ?? '');
    return captureFailure(failure, on);
  }

  /** Over the empty ones that the addon has left room for: on a full disk there is no other. */
  async #writeStatistics(path: string, thereIsRoom: boolean, statistics: CaptureStatistics): Promise<void> {
    if (!thereIsRoom) return;
    const ended = BigInt(Date.now()) * 1_000_000n;
    const blocks = statisticsBlocks(statistics, this.#started, ended);
    await using file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(blocks, 0, blocks.length, size - blocks.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#summary.catch(() => {});
  }
}

/**
 * Captures packets into a new file, or a ring of files, readable for its owner only. Needs CAP_NET_RAW.
 *
 * @throws {CaptureError} before anything is captured; `ERR_CAPTURE_EXISTS`: a file is never overwritten.
 * @throws {BpfError} for a filter that can't be compiled, with its place.
 */
export async function captureToFile(path: string, options: FileOptions): Promise<FileCapture> {
  checkRange('durationMs', options.durationMs, 1, 2 ** 31 - 1);
  checkRange('nextFile.seconds', options.nextFile?.seconds, 1, 2 ** 31 - 1);
  checkRange('nextFile.keep', options.nextFile?.keep, 1, 99_999);
  const sources = await prepareSources(options, retireMs);
  options.signal?.throwIfAborted();
  return new FileCapture(start(path, sources, options), sources, options);
}

function start(path: string, sources: readonly Source[], options: FileOptions): PacketFile {
  const { format = 'pcap', packets, bytes, nextFile = {} } = options;
  const suffix = extname(path);
  const limits = {
    ...(packets === undefined ? {} : { maxPackets: packets }),
    ...(bytes === undefined ? {} : { maxBytes: bytes }),
    ...(nextFile.bytes === undefined ? {} : { fileBytes: nextFile.bytes }),
    ...(nextFile.seconds === undefined ? {} : { fileSeconds: nextFile.seconds }),
    ...(nextFile.keep === undefined ? {} : { keepFiles: nextFile.keep }),
  };
  const preamble = fileHeader(sources, options);
  const epilogue = format === 'pcapng' ? { epilogue: emptyStatistics(sources.length) } : {};
  try {
    return PacketFile.open({
      rings: sources.map((source) => source.ring),
      snapLength: sources[0]?.snapLength ?? 0,
      maxHoldMs: gatherMs,
      stem: path.slice(0, path.length - suffix.length),
      suffix,
      format,
      preamble,
      ...epilogue,
      ...limits,
    });
  } catch (error) {
    throw captureFailure(error, path);
  }
}

function fileHeader(sources: readonly Source[], { format = 'pcap', comment }: FileOptions): Uint8Array {
  const described = sources.map(describeSource);
  if (format === 'pcapng') {
    return pcapngHeader(described, {
      application: 'nodecore',
      ...(comment === undefined ? {} : { comment }),
    });
  }
  const [first, ...others] = described;
  if (first === undefined) throw new TypeError('no interface');
  const odd = others.find((one) => one.linkType !== first.linkType);
  if (odd !== undefined) {
    const message = `a pcap file holds one link type, and ${odd.name} has another than ${first.name}: use pcapng`;
    throw new CaptureError('ERR_CAPTURE_OPTION', message);
  }
  return pcapHeader(first.linkType, first.snapLength);
}
