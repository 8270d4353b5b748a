import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { guids, readVariable } from '@nodecore/efi';

/** systemd's boot loader interface. */
const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';

/** Variables by which somebody has the next start be another one. */
const wishes: readonly { readonly name: string; readonly vendor: string }[] = [
  { name: 'BootNext', vendor: guids.global },
  { name: 'OsIndications', vendor: guids.global },
  ...['LoaderEntryOneShot', 'LoaderEntryDefault', 'LoaderEntryPreferred', 'LoaderConfigTimeoutOneShot'].map(
    (name) => ({ name, vendor: loader }),
  ),
];

/** What systemd-stub would add to what an image has, from the root of the partition. */
const additions: readonly string[] = ['loader/addons', 'loader/credentials'];

/**
 * What the firmware was told to do at the next start, other than to start the first entry of the menu.
 *
 * @param root of efivarfs; another one in tests.
 * @returns the variable that says so; undefined without any.
 */
export async function firmwareWish(root?: string): Promise<string | undefined> {
  for (const wish of wishes) {
    const value = (await readVariable({ ...wish, ...(root === undefined ? {} : { root }) }))?.value;
    if (value?.some((byte) => byte !== 0) === true) return wish.name;
  }
  return undefined;
}

/**
 * What lies beside the image on its partition, and would be handed to its kernel as well: addons, credentials, extensions.
 *
 * @param root where the partition is mounted.
 * @returns a path from there; undefined when there is none.
 */
export async function stubAddition(root: string): Promise<string | undefined> {
  const entries = await namesIn(join(root, 'EFI/Linux'));
  const own = entries.find((name) => name.toLowerCase().endsWith('.extra.d'));
  if (own !== undefined) return `EFI/Linux/${own}`;
  for (const place of additions) if ((await namesIn(join(root, place))).length > 0) return place;
  return undefined;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
