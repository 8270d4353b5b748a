import type { BlkidJudgement, BlkidValues, TableEntry } from '@nodecore/native';

import { contentName, signatureUsage } from './names.ts';
import type { Signature } from '../inventory.ts';

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

/** Puts what libblkid says in our words. */
export function judgementOf({ signatures, verdict, entries }: BlkidJudgement): Judgement {
  const table = signatures.find((values) => values['PTTYPE'] !== undefined);
  const text = (name: string): string => verdict?.[name] ?? '';
  const superblock = text('TYPE') !== '';
  const name = superblock ? contentName(text('TYPE'), text('VERSION')) : text('PTTYPE');
  return {
    name: verdict === undefined ? 'ambiguous' : name,
    uuid: superblock ? text('UUID') : text('PTUUID'),
    label: text('LABEL'),
    blockSize: Number(text('BLOCK_SIZE')),
    filesystemBlockSize: Number(text('FSBLOCKSIZE')),
    probedSize: BigInt(text('FSSIZE')),
    signatures: unique(signatures.flatMap((values) => signatureOf(values) ?? [])),
    tableType: table?.['PTTYPE'] ?? '',
    tableUuid: table?.['PTUUID'] ?? '',
    tableEntries: entries,
  };
}

function unique(signatures: readonly Signature[]): Signature[] {
  return [...new Map(signatures.map((one) => [`${one.type}@${one.offset}`, one])).values()];
}

function signatureOf(values: BlkidValues): Signature | undefined {
  const text = (name: string): string => values[name] ?? '';
  if (text('TYPE') !== '') {
    return {
      type: contentName(text('TYPE'), text('VERSION')),
      usage: signatureUsage(values['USAGE']),
      offset: BigInt(text('SBMAGIC_OFFSET')),
      uuid: text('UUID'),
      label: text('LABEL'),
    };
  }
  if (text('PTTYPE') === '') return undefined;
  return {
    type: text('PTTYPE'),
    usage: 'partition-table',
    offset: BigInt(text('PTMAGIC_OFFSET')),
    uuid: text('PTUUID'),
    label: '',
  };
}
