import { guids, parseSignatureLists, readVariable, verifyPe } from '@nodecore/efi';
import { secureBoot } from '@nodecore/tpm';
import type { View } from '@nodecore/view';

/** Where the variables of the firmware are; another place in tests. */
export type FirmwareRoot = { readonly root?: string };

/** Whether the firmware starts only what it has a signature for. */
export async function enforcesSignatures({ root }: FirmwareRoot = {}): Promise<boolean> {
  return (await secureBoot(root)).state === 'enabled';
}

/**
 * Proves that the firmware will start the image, with its own databases.
 *
 * @throws {EfiError} when it would refuse it.
 */
export async function proveByFirmware(uki: View, { root }: FirmwareRoot = {}): Promise<void> {
  const lists = async (name: string) => {
    const variable = { name, vendor: guids.imageSecurity, ...(root === undefined ? {} : { root }) };
    const found = await readVariable(variable);
    return found === undefined ? [] : parseSignatureLists(found.value);
  };
  const [db, dbx] = await Promise.all([lists('db'), lists('dbx')]);
  await verifyPe(uki, { db, dbx });
}
