import { command } from '@nodecore/testkit';

import type { DiscoveredVolume } from '../../src/inventory.ts';
import { contentName } from '../../src/content/names.ts';

/** What the `blkid` program says of a device, in our words. */
export type Verdict = {
  readonly name: string;
  readonly uuid: string;
  readonly label: string;
  readonly blockSize: number;
  readonly partitionUuid: string;
  readonly partitionType: string;
  readonly partitionLabel: string;
  readonly partitionIndex: number;
};

export async function blkidVerdict(path: string): Promise<Verdict> {
  return verdictOf(await command([...blkidArguments, path]));
}

export const blkidArguments = ['blkid', '--probe', '--output', 'export'] as const;

/** What it has said. */
export function verdictOf({
  code,
  stdout,
}: {
  readonly code: number | null;
  readonly stdout: string;
}): Verdict {
  const values = new Map(
    stdout.split('\n').map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
  const text = (name: string): string => unescaped(values.get(name) ?? '');
  // Never escaped: what looks like an escape in one, `M-V`, is a part of it.
  const id = (name: string): string => values.get(name) ?? '';
  const type = text('TYPE');
  const ambiguous = code === 8;
  return {
    name: ambiguous ? 'ambiguous' : type === '' ? text('PTTYPE') : contentName(type, text('VERSION')),
    uuid: type === '' ? id('PTUUID') : id('UUID'),
    label: text('LABEL'),
    blockSize: Number(text('BLOCK_SIZE')),
    partitionUuid: id('PART_ENTRY_UUID'),
    partitionType: text('PART_ENTRY_TYPE'),
    partitionLabel: text('PART_ENTRY_NAME'),
    partitionIndex: Number(text('PART_ENTRY_NUMBER')),
  };
}

/** The program writes a byte from 128 on as `M-` and the one 128 below it, and a backslash before what a shell minds. */
function unescaped(text: string): string {
  const bytes = [...text.matchAll(/(M-)?\\?([^])/gu)].map(([, high, char = '']) =>
    high === undefined ? Buffer.from(char) : Buffer.from([0x80 | (char.codePointAt(0) ?? 0)]),
  );
  return Buffer.concat(bytes).toString();
}

/** The same fields of a volume that we discovered. */
export function ourVerdict(volume: DiscoveredVolume): Verdict {
  const { name, uuid, label, blockSize } = volume;
  const { partitionUuid, partitionType, partitionLabel, partitionIndex } = volume;
  return { name, uuid, label, blockSize, partitionUuid, partitionType, partitionLabel, partitionIndex };
}
