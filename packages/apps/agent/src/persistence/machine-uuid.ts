import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

/** smbios(5), system information: `system-uuid`. Readable by root only. */
const productUuid = '/sys/class/dmi/id/product_uuid';

/**
 * The UUID that the firmware gives the machine, in lower case; undefined where there is no such firmware.
 *
 * @param path of the kernel's file; another one in tests.
 */
export async function firmwareUuid(path: string = productUuid): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim().toLowerCase();
    return text === '' ? undefined : text;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
