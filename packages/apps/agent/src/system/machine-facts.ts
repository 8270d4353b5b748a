import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';

import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import { taggedImageVersion } from '../image/os-release.ts';

type Fields = Readonly<Record<string, Json>>;

/** Of smbios(5), by the kernel's names for them. */
const smbios = {
  manufacturer: 'sys_vendor',
  productName: 'product_name',
  version: 'product_version',
  serialNumber: 'product_serial',
  uuid: 'product_uuid',
  skuNumber: 'product_sku',
} as const;

/**
 * What the firmware says of the machine, as it says it: what is not there, or empty, is left out. Undefined where no firmware says
 * anything. The serial number and the UUID are for root only.
 *
 * @param directory of the kernel; another one in tests.
 */
export async function systemInformation(
  directory: string = '/sys/class/dmi/id',
): Promise<Fields | undefined> {
  const found = await Promise.all(
    Object.entries(smbios).map(async ([name, file]) => [name, await line(join(directory, file))] as const),
  );
  const said = found.filter(([, value]) => value !== '');
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/**
 * What runs: the system by its os-release, and the kernel.
 *
 * @param osRelease of our image; undefined on any other host.
 */
export async function runningVersions(osRelease: string | undefined): Promise<ReadonlyMap<string, Fields>> {
  const text = await readFile(osRelease ?? '/etc/os-release', 'utf8').catch(() => '');
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)`, 'mu').exec(text)?.[1] ?? '';
  const version = osRelease === undefined ? undefined : await taggedImageVersion(osRelease);
  return new Map([
    ['kernel', { name: 'Linux', version: release() }],
    ['os', { name: field('NAME') || 'Linux', version: version ?? field('VERSION_ID') }],
  ]);
}

/** `''` for what is not there, and for what is for others only. */
async function line(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return '';
    throw error;
  }
}
