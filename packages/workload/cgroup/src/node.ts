import type { CgroupScan } from '@nodecore/native';
import type { Pressure, ResourcePressure } from '@nodecore/pressure-policy';

import { CoreFiles } from './files/core-files.ts';
import { CpuFiles } from './files/cpu-files.ts';
import { CpusetFiles } from './files/cpuset-files.ts';
import { IoFiles } from './files/io-files.ts';
import { MemoryFiles } from './files/memory-files.ts';
import {
  hugetlbFiles,
  type HugetlbFiles,
  miscFiles,
  type MiscFiles,
  pidsFiles,
  type PidsFiles,
  rdmaFiles,
  type RdmaFiles,
} from './files/small-controllers.ts';
import { parsePressure } from './pressure/reading.ts';

/** What a scan has in common for all its nodes. */
export type ScanTexts = {
  readonly scan: CgroupScan;
  readonly buffers: readonly Buffer[];
  /** Number of a file name. */
  readonly numbers: ReadonlyMap<string, number>;
};

/** Numbers per entry of a scan: file, arena, offset, length or negative errno. */
const entryNumbers = 4;

/**
 * One cgroup as it was read. Files are parsed when they are asked for: a tree of ten thousand costs what is used of it.
 * A property is undefined when its file was absent, or not among those that were read.
 */
export class CgroupNode {
  /** Given to the cgroup when its reader saw it first; another one by the same path gets another number. */
  readonly id: number;
  /** Below the root that was read: `/`, `/system.slice/sshd.service`. */
  readonly path: string;
  /** Last part of the path; `''` for the root. */
  readonly name: string;
  readonly parent: CgroupNode | undefined;
  /** By name. */
  readonly children: readonly CgroupNode[] = [];
  /** CLOCK_MONOTONIC in ns, right before its first file was read. */
  readonly takenNs: bigint;
  readonly #texts: ScanTexts;
  /** Where this node's entries begin and end in the scan's. */
  readonly #first: number;
  readonly #end: number;

  /** @internal */
  constructor(
    texts: ScanTexts,
    index: number,
    facts: { readonly path: string; readonly name: string; readonly parent: CgroupNode | undefined },
  ) {
    this.id = texts.scan.order[index] ?? 0;
    this.path = facts.path;
    this.name = facts.name;
    this.parent = facts.parent;
    this.takenNs = texts.scan.stamps[index] ?? 0n;
    this.#texts = texts;
    this.#first = (texts.scan.starts[index] ?? 0) * entryNumbers;
    this.#end = (texts.scan.starts[index + 1] ?? 0) * entryNumbers;
    if (facts.parent !== undefined) (facts.parent.children as CgroupNode[]).push(this);
  }

  /** Names of the files that were read. */
  files(): string[] {
    const { entries, fileNames } = this.#texts.scan;
    const names: string[] = [];
    for (let at = this.#first; at < this.#end; at += entryNumbers) {
      if ((entries[at + 3] ?? -1) >= 0) names.push(fileNames[entries[at] ?? 0] ?? '');
    }
    return names;
  }

  /** The text of a file as the kernel gave it, whatever its length. */
  text(file: string): string | undefined {
    const at = this.#entryOf(file);
    if (at === undefined) return undefined;
    const { scan, buffers } = this.#texts;
    const { entries } = scan;
    const [arena = 0, offset = 0, length = -1] = [entries[at + 1], entries[at + 2], entries[at + 3]];
    return length < 0 ? undefined : buffers[arena]?.toString('utf8', offset, offset + length);
  }

  /**
   * Whether a file says what it said at another reading: the same bytes, the same refusal, or nothing at both. Makes no string of
   * either, so that a large tree can be asked every second.
   */
  isSame(file: string, other: CgroupNode): boolean {
    const [mine, others] = [this.#entryOf(file), other.#entryOf(file)];
    if (mine === undefined || others === undefined) return mine === others;
    const [now, then] = [this.#texts.scan.entries, other.#texts.scan.entries];
    const length = now[mine + 3] ?? -1;
    if (length !== then[others + 3]) return false;
    if (length < 0) return true; // an errno
    const [from = 0, start = 0] = [now[mine + 1], now[mine + 2]];
    const [otherFrom = 0, otherStart = 0] = [then[others + 1], then[others + 2]];
    const [bytes, otherBytes] = [this.#texts.buffers[from], other.#texts.buffers[otherFrom]];
    if (bytes === undefined || otherBytes === undefined) throw new TypeError('an entry without its bytes');
    return bytes.compare(otherBytes, otherStart, otherStart + length, start, start + length) === 0;
  }

  /**
   * Whether every file says what it said at another reading by the same reader: as `isSame` of each, at a fraction of its cost. Most
   * cgroups of a large tree do nothing between two readings. False, too, where other files were read, or in another order.
   */
  isUnchanged(other: CgroupNode): boolean {
    const [mine, others] = [this.#texts, other.#texts];
    if (mine.numbers !== others.numbers || this.#end - this.#first !== other.#end - other.#first)
      return false;
    const [now, then] = [mine.scan.entries, others.scan.entries];
    const shift = other.#first - this.#first;
    for (let at = this.#first; at < this.#end; at += entryNumbers)
      if (now[at] !== then[at + shift] || now[at + 3] !== then[at + shift + 3]) return false;
    const [bytes, otherBytes] = [this.#bytes(), other.#bytes()];
    return bytes !== undefined && otherBytes?.equals(bytes) === true;
  }

  /** Of all files, in their order; undefined where they do not lie behind each other. */
  #bytes(): Buffer | undefined {
    const { scan, buffers } = this.#texts;
    const { entries } = scan;
    const [arena = 0, start = 0] = [entries[this.#first + 1], entries[this.#first + 2]];
    let end = start;
    for (let at = this.#first; at < this.#end; at += entryNumbers) {
      if (entries[at + 1] !== arena || entries[at + 2] !== end) return undefined;
      end += Math.max(0, entries[at + 3] ?? 0);
    }
    return buffers[arena]?.subarray(start, end);
  }

  #entryOf(file: string): number | undefined {
    const { scan, numbers } = this.#texts;
    const number = numbers.get(file);
    for (let at = this.#first; at < this.#end; at += entryNumbers) if (scan.entries[at] === number) return at;
    return undefined;
  }

  /** Files that are there but were refused, with a negative errno: -95 (EOPNOTSUPP) for pressure that is switched off. */
  refused(): ReadonlyMap<string, number> {
    const { entries, fileNames } = this.#texts.scan;
    const refusals = new Map<string, number>();
    for (let at = this.#first; at < this.#end; at += entryNumbers) {
      const length = entries[at + 3] ?? 0;
      if (length < 0) refusals.set(fileNames[entries[at] ?? 0] ?? '', length);
    }
    return refusals;
  }

  get cgroup(): CoreFiles {
    return new CoreFiles((file) => this.text(file));
  }

  get cpu(): CpuFiles {
    return new CpuFiles((file) => this.text(file));
  }

  get cpuset(): CpusetFiles {
    return new CpusetFiles((file) => this.text(file));
  }

  get io(): IoFiles {
    return new IoFiles((file) => this.text(file));
  }

  get memory(): MemoryFiles {
    return new MemoryFiles((file) => this.text(file));
  }

  get pids(): PidsFiles {
    return pidsFiles((file) => this.text(file));
  }

  /** By page size: `2MB`. */
  get hugetlb(): ReadonlyMap<string, HugetlbFiles> {
    return hugetlbFiles((file) => this.text(file), this.files());
  }

  get rdma(): RdmaFiles {
    return rdmaFiles((file) => this.text(file));
  }

  get misc(): MiscFiles {
    return miscFiles((file) => this.text(file));
  }

  get pressure(): Pressure {
    const of = (resource: string): ResourcePressure | undefined => {
      const text = this.text(`${resource}.pressure`);
      return text === undefined ? undefined : parsePressure(text);
    };
    return { cpu: of('cpu'), memory: of('memory'), io: of('io'), irq: of('irq') };
  }
}
