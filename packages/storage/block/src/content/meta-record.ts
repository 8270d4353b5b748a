import { open } from 'node:fs/promises';

import type { Judgement } from './judgement.ts';

/** A META partition has exactly this size, and a copy of its record at its beginning and in its middle. */
const sizeBytes = 1n << 20n;
const places = [0, 1 << 19] as const;
/** What each copy begins with; `image/meta` writes it. */
const magic = Buffer.from('nodecore META 1\n', 'latin1');

/**
 * Adds what libblkid does not know: the record of our META partition, as content type `meta`. It is looked for only where nothing
 * else was recognised. The bytes are among those that a judgement rests on.
 */
export async function withMeta(path: string, size: bigint, judgement: Judgement): Promise<Judgement> {
  if (size !== sizeBytes || judgement.name !== '' || judgement.signatures.length > 0) return judgement;
  const found = await copies(path);
  if (found.length === 0) return judgement;
  const signatures = found.map((offset) => {
    return { type: 'meta', usage: 'other', offset: BigInt(offset), uuid: '', label: '' } as const;
  });
  return { ...judgement, name: 'meta', signatures };
}

/** Of a device that has just answered. */
async function copies(path: string): Promise<readonly number[]> {
  await using file = await open(path, 'r');
  const found: number[] = [];
  for (const place of places) {
    const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, place);
    if (buffer.equals(magic)) found.push(place);
  }
  return found;
}
