import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, removeFileDurably, writeFileAtomic } from '@nodecore/sys';
import type { IntentRecord, IntentStore } from '@nodecore/volumes';

import { PersistenceError } from './errors.ts';

/** Intent records as files, `<volume id>.json`: what a volume was given, written before it is touched. */
export class IntentDirectory implements IntentStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async get(volumeId: string): Promise<IntentRecord | undefined> {
    const path = this.#file(volumeId);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : decode(path, text);
  }

  async put(record: IntentRecord): Promise<void> {
    await writeFileAtomic(this.#file(record.volumeId), encode(record));
  }

  async remove(volumeId: string): Promise<void> {
    await removeFileDurably(this.#file(volumeId));
  }

  /** Volume ids are checked by the configuration; an id that leaves the directory is a bug, not a condition. */
  #file(volumeId: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(volumeId)) throw new TypeError(`volume id ${volumeId}`);
    return join(this.#path, `${volumeId}.json`);
  }
}

type Written = Omit<IntentRecord, 'disk' | 'blank'> & {
  readonly disk: Omit<IntentRecord['disk'], 'size'> & { readonly size: string };
  readonly blank?: Omit<NonNullable<IntentRecord['blank']>, 'doneBytes'> & { readonly doneBytes: string };
};

function encode({ disk, blank, ...record }: IntentRecord): string {
  const written: Written = {
    ...record,
    disk: { ...disk, size: String(disk.size) },
    ...(blank && { blank: { ...blank, doneBytes: String(blank.doneBytes) } }),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** A record that can't be read must not pass for one that was never written: the volume would be made again. */
function decode(path: string, text: string): IntentRecord {
  try {
    const { disk, blank, ...record } = JSON.parse(text) as Written;
    return {
      ...record,
      disk: { ...disk, size: BigInt(disk.size) },
      ...(blank && { blank: { ...blank, doneBytes: BigInt(blank.doneBytes) } }),
    };
  } catch (cause) {
    throw new PersistenceError('ERR_STATE_DAMAGED', `${path}: not an intent record`, { cause });
  }
}
