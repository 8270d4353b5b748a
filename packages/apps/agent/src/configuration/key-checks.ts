import {
  type Configuration,
  documentOf,
  type Encryption,
  type KeyEntry,
  type Problem,
} from '@nodecore/config';
import type { KeyFailure } from '@nodecore/keys';
import { sameKeys } from '@nodecore/volumes';

import { ApplyError } from './errors.ts';

/** Makes keys for a volume that are thrown away. @returns why those that can't be made can't. */
export type TryKeys = (volumeId: string, keys: readonly KeyEntry[]) => Promise<readonly KeyFailure[]>;

/**
 * Tries whether keys that the active configuration does not have could be made on this node: that the TPM is there and
 * seals, that key servers answer and give back what they got. What may come later is a doubt and no refusal.
 *
 * @returns doubts, for people.
 * @throws {ApplyError} `ERR_APPLY_REFUSED` for a volume that nothing could ever open: all its keys are the TPM's, and
 *   the machine has none.
 */
export async function checkKeys(
  configuration: Configuration,
  active: Configuration | undefined,
  tryKeys: TryKeys,
): Promise<readonly string[]> {
  const present = new Map(active === undefined ? [] : encrypted(active).map(({ id, keys }) => [id, keys]));
  const results = await Promise.all(
    encrypted(configuration).map(async ({ id, document, keys }) => {
      const known = present.get(id) ?? [];
      const added = keys.filter((key) => isSealed(key) && !known.some((one) => sameKeys([one], [key])));
      return { document, keys, failures: await tryKeys(id, added) };
    }),
  );
  const hopeless = results.filter(
    ({ keys, failures }) => keys.length === failures.filter(isWithoutTpm).length,
  );
  const [first] = hopeless;
  if (first !== undefined) {
    const problems = hopeless.map(({ document }) => problem(document));
    throw new ApplyError(
      'ERR_APPLY_REFUSED',
      `${first.document}: ${problem(first.document).message}`,
      problems,
    );
  }
  return results.flatMap(({ document, failures }) =>
    failures.map((failure) => `${document}: ${doubtOf(failure)}`),
  );
}

type Encrypted = { readonly id: string; readonly document: string; readonly keys: Encryption['keys'] };

function encrypted({ volumes }: Configuration): readonly Encrypted[] {
  return volumes.flatMap((volume) => {
    if (!('encryption' in volume)) return [];
    return { id: volume.id, document: documentOf(volume), keys: volume.encryption.keys };
  });
}

function isSealed({ kind }: KeyEntry): boolean {
  return kind === 'kms' || kind === 'tpm';
}

function isWithoutTpm({ code }: KeyFailure): boolean {
  return code === 'ERR_TPM_NOT_FOUND';
}

function doubtOf({ slot, kind, message }: KeyFailure): string {
  return message.includes(`slot ${slot}:`) ? message : `${kind} key of slot ${slot}: ${message}`;
}

function problem(document: string): Problem {
  const message = 'has keys of the TPM only, and this machine has no TPM 2.0';
  return { code: 'key.tpm_missing', document, path: 'encryption.keys', message, line: 0, column: 0 };
}
