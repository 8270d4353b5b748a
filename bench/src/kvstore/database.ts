import { type Kvstore, put } from '@nodecore/kvstore';

/** 250 MB, in values as large as objects of a cluster often are. */
const values = 60_000;
const valueBytes = 4_000;
const writers = 32;

/** Writes a database that is worth a snapshot. */
export async function fillDatabase(kvstore: Kvstore): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < values; index = next++) {
      await put(kvstore, `/registry/things/${index}`, Buffer.alloc(valueBytes, `${index} `));
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
}
