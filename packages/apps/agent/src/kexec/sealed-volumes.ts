import { access } from 'node:fs/promises';

import type { Inventory } from '@nodecore/block';
import type { Configuration } from '@nodecore/config';
import { tokens } from '@nodecore/luks';

/** Tokens of keys that a TPM has sealed, whoever has made them. */
const sealedType = /tpm2/u;

export type SealedParts = {
  readonly inventory: Inventory;
  readonly configuration: Pick<Configuration, 'volumes'> | undefined;
  /** Types of the tokens in a LUKS header; of the device itself unless given. */
  readonly tokenTypes?: (device: string) => Promise<readonly string[]>;
};

/** Whether the machine has a TPM. @param paths another place in tests. */
export async function hasTpm(paths: readonly string[] = ['/dev/tpm0', '/dev/tpmrm0']): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/**
 * A volume whose key the TPM gives out for what the firmware has measured, or shall once it is made: by its header, or by the
 * configuration. Registers go on over a start without firmware, and would have the steps of the boot twice.
 *
 * @returns its name; undefined when there is none.
 * @throws when a header can't be read: what it has is not guessed.
 */
export async function sealedVolume(parts: SealedParts): Promise<string | undefined> {
  const { inventory, configuration, tokenTypes = typesOf } = parts;
  for (const volume of configuration?.volumes ?? [])
    if ('encryption' in volume && volume.encryption.keys.some(({ kind }) => kind === 'tpm')) return volume.id;
  for (const { name, devPath } of inventory.volumes)
    if (name === 'luks' && (await tokenTypes(devPath)).some((type) => sealedType.test(type))) return devPath;
  return undefined;
}

async function typesOf(device: string): Promise<readonly string[]> {
  return (await tokens.list(device)).map(({ json }) => json.type);
}
