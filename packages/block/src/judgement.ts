import { type BlkidProbe, type TableEntry, type Values } from './blkid-probe.ts';
import { contentName, signatureUsage } from './content-names.ts';
import type { Signature } from './inventory.ts';

/** What is on a device or in a file: libblkid's verdict and every signature it found. */
export type Judgement = {
  /** As in `DiscoveredVolume`: `''` = nothing recognised, `ambiguous` = contradicting signatures. */
  readonly name: string;
  readonly uuid: string;
  readonly label: string;
  readonly blockSize: number;
  readonly filesystemBlockSize: number;
  readonly probedSize: bigint;
  readonly signatures: readonly Signature[];
  /** The type of the partition table, `''` when there is none. It is read even when something contradicts it. */
  readonly tableType: string;
  readonly tableUuid: string;
  readonly tableEntries: readonly TableEntry[];
};

/** Asks libblkid: every signature is enumerated, then the verdict is reached as `blkid -p` reaches it. */
export async function judge(probe: BlkidProbe, signal?: AbortSignal): Promise<Judgement> {
  const found = await probe.enumerate();
  signal?.throwIfAborted();
  const verdict = soleVerdict(found) ?? (await probe.verdict());
  signal?.throwIfAborted();
  const ambiguous = verdict === 'ambiguous';
  const values: Values = ambiguous ? new Map() : verdict;
  const text = (name: string): string => values.get(name) ?? '';
  const table = found.find((one) => one.has('PTTYPE'));
  const tableType = text('PTTYPE');
  const superblock = text('TYPE') !== '';
  const verdictName = superblock ? contentName(text('TYPE'), text('VERSION')) : tableType;
  return {
    name: ambiguous ? 'ambiguous' : verdictName,
    uuid: superblock ? text('UUID') : text('PTUUID'),
    label: text('LABEL'),
    blockSize: Number(text('BLOCK_SIZE')),
    filesystemBlockSize: Number(text('FSBLOCKSIZE')),
    probedSize: BigInt(text('FSSIZE')),
    signatures: signatures(found),
    tableType: table?.get('PTTYPE') ?? '',
    tableUuid: table?.get('PTUUID') ?? '',
    tableEntries: table === undefined ? [] : await probe.tableEntries(),
  };
}

/**
 * The verdict where the enumeration leaves no choice: with nothing found, or one superblock whose checksum is right,
 * there is nothing to weigh. A partition table always needs a verdict, because the enumeration forgives its flaws.
 */
function soleVerdict(found: readonly Values[]): Values | undefined {
  const [only] = found;
  if (only === undefined) return new Map();
  return found.length === 1 && only.has('TYPE') && !only.has('SBBADCSUM') ? only : undefined;
}

function signatures(found: readonly Values[]): Signature[] {
  const unique = new Map<string, Signature>();
  for (const values of found) {
    const signature = signatureOf(values);
    if (signature !== undefined) unique.set(`${signature.type}@${signature.offset}`, signature);
  }
  return [...unique.values()];
}

function signatureOf(values: Values): Signature | undefined {
  const text = (name: string): string => values.get(name) ?? '';
  const type = text('TYPE');
  if (type !== '') {
    return {
      type: contentName(type, text('VERSION')),
      usage: signatureUsage(values.get('USAGE')),
      offset: BigInt(text('SBMAGIC_OFFSET')),
      uuid: text('UUID'),
      label: text('LABEL'),
    };
  }
  const table = text('PTTYPE');
  if (table === '') return undefined;
  return {
    type: table,
    usage: 'partition-table',
    offset: BigInt(text('PTMAGIC_OFFSET')),
    uuid: text('PTUUID'),
    label: '',
  };
}
