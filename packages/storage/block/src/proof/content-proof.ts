import { codeOf } from '@nodecore/sys';

import { backupKinds, backupPlaces, defaultStarts } from './backup-places.ts';
import { type ByteRange, bytesOf, endOfRange, mergedWithin } from '../byte-range.ts';
import { isMark, markBytes } from '../content/construction-mark.ts';
import { dataExtents } from './data-extents.ts';
import { edgeBytes, inspectEdges, writtenInEdges } from './device-edges.ts';
import type { DeviceFile } from '../devices/device-file.ts';
import type { EmptinessReceipt, ReadPurpose, ReadRanges } from './receipt.ts';
import { extentWindows } from './extent-windows.ts';
import { isEmptyTable, isInterruptedTable } from './interrupted-table.ts';
import { startsNamedBy } from './old-tables.ts';
import { isNativeFailure, type PartJudgement, type ProofReader, type Written } from './reader.ts';
import type { ProofTime } from './time.ts';
import { spreadWindows } from './windows.ts';
import { nameOfWritten, type WrittenName } from './written-name.ts';

export type ContentProofOptions = {
  readonly reader: ProofReader;
  readonly time: ProofTime;
  readonly signal?: AbortSignal | undefined;
  /** A whole GUID partition table without a partition is nothing, like one whose creation broke off, and so are marks of construction. */
  readonly emptyTable?: boolean | undefined;
};

type Findings = Pick<
  EmptinessReceipt,
  'read' | 'probedAt' | 'backupsOf' | 'map' | 'found' | 'unproven' | 'isLate'
>;

/** So many windows are asked for at once: enough to keep a disk busy, few enough to look at the time in between. */
const batchWindows = 64;
const batchBytes = 8n << 20n;

/**
 * Looks for anything on a device, the places first that tell what it is. It ends with the first thing that is found, so
 * what was read is all of it only when nothing was.
 */
export class ContentProof {
  readonly #device: DeviceFile;
  readonly #options: ContentProofOptions;
  readonly #read: ReadRanges[] = [];
  readonly #probedAt: bigint[] = [];
  readonly #found: string[] = [];
  readonly #unproven: string[] = [];
  #isLate = false;
  /** Libblkid has said what it is: nobody needs to know more. A table is no answer to what is in its partitions. */
  #isRecognised = false;
  #backupsOf: readonly string[] = [];
  #map: EmptinessReceipt['map'] = { unknown: 'it was not asked for' };

  constructor(device: DeviceFile, options: ContentProofOptions) {
    this.#device = device;
    this.#options = options;
  }

  get findings(): Findings {
    return {
      read: this.#read,
      probedAt: this.#probedAt,
      backupsOf: this.#backupsOf,
      map: this.#map,
      found: this.#found,
      unproven: this.#unproven,
      isLate: this.#isLate,
    };
  }

  /**
   * @param depth `ends`: only what a wipe of ours makes blank, both ends and what libblkid knows of the whole device.
   * @throws {BlockError} `ERR_BLOCK_UNRESPONSIVE`: it may answer later, and that is no finding.
   */
  async run(depth: 'all' | 'ends'): Promise<void> {
    const { signal } = this.#options;
    try {
      if (this.#device.sizeBytes === 0n) this.#found.push('it has no size');
      else await this.#look(depth);
    } catch (error) {
      signal?.throwIfAborted();
      if (codeOf(error) === 'ERR_BLOCK_UNRESPONSIVE') throw error;
      if (!isFailure(error)) throw error;
      this.#unproven.push(error.message);
    }
  }

  async #look(depth: 'all' | 'ends'): Promise<void> {
    const tableOnly = await this.#edges();
    if (depth === 'ends' || this.#isRecognised) return;
    const starts = await this.#starts(tableOnly);
    if (this.#found.length > 0 || this.#unproven.length > 0) return;
    const { sizeBytes, sectorSize } = this.#device;
    const middle = this.#middle;
    if (middle.size <= 0n) {
      this.#map = 'read';
      return;
    }
    this.#backupsOf = backupKinds;
    const backups = backupPlaces(sizeBytes, [...defaultStarts(sizeBytes, sectorSize), ...starts], middle);
    const isZero =
      (await this.#windows('backups', backups)) && (await this.#windows('windows', spreadWindows(middle)));
    if (isZero) await this.#extents(middle);
  }

  /** @returns whether they hold an empty table that counts as nothing, or the beginning of one, and nothing else. */
  async #edges(): Promise<boolean> {
    const { reader, time, signal, emptyTable = false } = this.#options;
    await this.#device.dropCache();
    const { tableOnly, written, size, sizeBytes } = await inspectEdges(this.#device, (edges) => ({
      tableOnly:
        !this.#device.isPartition && (isInterruptedTable(edges) || (emptyTable && isEmptyTable(edges))),
      written: writtenInEdges(edges),
      size: BigInt(edges.first.length),
      sizeBytes: edges.sizeBytes,
    }));
    const both = [
      { offset: 0n, size },
      { offset: sizeBytes - size, size },
    ];
    this.#read.push({ purpose: 'edges', ranges: mergedWithin(both, { offset: 0n, size: sizeBytes }) });
    signal?.throwIfAborted();
    if (!tableOnly) this.#found.push(...written);
    this.#probedAt.push(0n);
    const judged = await time.step(() => reader.judge(undefined));
    this.#isRecognised = judged.signatures.some(({ usage }) => usage !== 'partition-table');
    this.#found.push(...named(judged, tableOnly));
    return tableOnly;
  }

  /** @returns where the partitions of the tables begin that are, or were, here. */
  async #starts(tableOnly: boolean): Promise<readonly bigint[]> {
    const { reader, time, signal } = this.#options;
    const { sizeBytes, sectorSize } = this.#device;
    const defaults = defaultStarts(sizeBytes, sectorSize);
    const sector = BigInt(sectorSize);
    const places = [0n, sector, sizeBytes - sector, ...defaults];
    const former = tableOnly ? [] : await startsNamedBy(this.#device, places);
    for (const start of new Set([...defaults, ...former])) {
      signal?.throwIfAborted();
      if (time.isOver) {
        this.#late('where partitions may begin');
        break;
      }
      const size = sizeBytes - edgeBytes - start; // without the end, which is no partition's
      if (size < edgeBytes) continue;
      this.#probedAt.push(start);
      const judged = await time.step(() => reader.judge({ offset: start, size }));
      const begun = former.includes(start)
        ? `where a partition of its table began, byte ${start}`
        : `where a partition may have begun, byte ${start}`;
      this.#found.push(...named(judged, false).map((one) => `${one}, ${begun}`));
    }
    return former;
  }

  /**
   * Reads on among the backups until one says what it is: that is a better reason than the place of some byte.
   *
   * @returns whether all of them were read in time, and are zero.
   */
  async #windows(purpose: ReadPurpose, windows: readonly ByteRange[]): Promise<boolean> {
    const { time, signal } = this.#options;
    const done: ByteRange[] = [];
    let first: WrittenName | undefined;
    this.#read.push({ purpose, ranges: done });
    for (const batch of batches(windows)) {
      signal?.throwIfAborted();
      if (time.isOver) {
        if (first === undefined)
          this.#late(`${windows.length - done.length} of ${windows.length} ${purpose}`);
        break;
      }
      const { places, unreadable } = await this.#written(batch);
      done.push(...batch);
      const name = await this.#bestName(places);
      if (name?.isKnown === true) first = name;
      first ??= name;
      if (unreadable !== undefined) {
        const { offset, errno } = unreadable;
        this.#unproven.push(`read ${this.#device.path} at byte ${offset}: ${errno}`);
        break;
      }
      if (first !== undefined && (first.isKnown || purpose !== 'backups')) break;
    }
    if (first !== undefined) this.#found.push(`it has ${first.text}`);
    return first === undefined && this.#unproven.length === 0;
  }

  /** Where an empty table counts as nothing, so do the marks of what was to be the first partition: they come before its entry. */
  async #written(batch: readonly ByteRange[]): Promise<Written> {
    const { reader, time, emptyTable = false } = this.#options;
    const block = BigInt(markBytes);
    for (let windows = batch; ;) {
      const written = await time.step(() => reader.written(windows));
      const blocks = emptyTable ? written.places.map((place) => (place / block) * block) : [];
      const marks: bigint[] = [];
      for (const at of blocks) if (isMark(await this.#device.read(at, markBytes))) marks.push(at);
      if (marks.length === 0) return written;
      windows = windows.flatMap((window) => around(window, marks));
    }
  }

  async #extents(middle: ByteRange): Promise<void> {
    const map = await dataExtents(this.#device);
    if ('unknown' in map) {
      this.#map = map;
      return;
    }
    const windows = extentWindows(map.extents, middle);
    this.#map = bytesOf(windows) === bytesOf(mergedWithin(map.extents, middle)) ? 'read' : 'sampled';
    await this.#windows('extents', windows);
  }

  /** Of the first place that says what it is, else of the first. */
  async #bestName(places: readonly bigint[]): Promise<WrittenName | undefined> {
    let best: WrittenName | undefined;
    for (const place of places) {
      const from = (place / 512n) * 512n - 512n; // some superblocks begin with zeros
      const at = from < 0n ? 0n : from;
      const left = this.#device.sizeBytes - at;
      const name = nameOfWritten(await this.#device.read(at, Number(left < 4096n ? left : 4096n)), at);
      if (name.isKnown) return name;
      best ??= name;
    }
    return best;
  }

  #late(what: string): void {
    const { limitMs } = this.#options.time;
    this.#isLate = true;
    this.#unproven.push(`not proven within ${limitMs} ms: ${what} not read`);
  }

  get #middle(): ByteRange {
    return { offset: edgeBytes, size: this.#device.sizeBytes - 2n * edgeBytes };
  }
}

/** What is left of a range without the blocks of these marks. */
function around(range: ByteRange, marks: readonly bigint[]): readonly ByteRange[] {
  let left = [range];
  for (const mark of marks)
    left = left.flatMap((one) => [
      ...mergedWithin([one], { offset: 0n, size: mark }),
      ...mergedWithin([one], { offset: mark + BigInt(markBytes), size: endOfRange(range) }),
    ]);
  return left;
}

/** Every signature counts, also those that libblkid would not rest its verdict on. */
function named({ name, signatures }: PartJudgement, tableOnly: boolean): string[] {
  const found = signatures.filter(({ type }) => !(tableOnly && type === 'gpt'));
  if (found.length > 0)
    return found.map(({ type, offset }) => `it has a signature of ${type} at byte ${offset}`);
  return name === '' || (tableOnly && name === 'gpt') ? [] : [`libblkid takes it for ${name}`];
}

function* batches(windows: readonly ByteRange[]): Generator<readonly ByteRange[]> {
  let batch: ByteRange[] = [];
  for (const window of windows) {
    batch.push(window);
    if (batch.length < batchWindows && bytesOf(batch) < batchBytes) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function isFailure(error: unknown): error is Error {
  return isNativeFailure(error) || (error instanceof Error && codeOf(error) !== undefined);
}
