import {
  type Enrollment,
  enrollmentFiles,
  type SecureBootEnrollment,
  secureBootEnrollments,
} from '@nodecore/boot';
import { parseAuthenticatedVariable, parseSignatureLists, verifyPe } from '@nodecore/efi';
import type { View } from '@nodecore/view';

import { UpgradeError } from '../upgrades/errors.ts';
import type { PulledInstaller } from '../upgrades/pull-installer.ts';

/** Larger than any list of keys that firmware takes. */
const largestBytes = 1 << 16;

/**
 * The keys of an installer image for Secure Boot, which the boot loader enrols where the firmware has none; undefined for an image
 * without.
 *
 * @param started what the firmware has to start with these keys.
 * @throws {UpgradeError} `ERR_UPGRADE_IMAGE` for keys that are not all there, or that would lock the machine out of its own system.
 */
export async function readEnrollment(
  { manifest: { enrollKeys }, files }: Pick<PulledInstaller, 'manifest' | 'files'>,
  started: readonly View[],
): Promise<Enrollment | undefined> {
  const names = ['PK', 'KEK', 'db'] as const;
  const present = names.filter((name) => files.has(enrollmentFiles[name]));
  if (present.length === 0) return undefined;
  const missing = names.find((name) => !present.includes(name));
  if (missing !== undefined) throw unusable(enrollmentFiles[missing], 'is missing');
  const read = (name: keyof typeof enrollmentFiles): Promise<Buffer> => bytesOf(enrollmentFiles[name], files);
  const keys = { PK: await read('PK'), KEK: await read('KEK'), db: await read('db') };
  for (const name of names) await assertKey(name, keys[name], name === 'db' ? started : []);
  const certificate = files.has(enrollmentFiles.certificate) ? await read('certificate') : undefined;
  return { enrollment: modeOf(enrollKeys), keys, ...(certificate && { certificate }) };
}

async function assertKey(name: 'PK' | 'KEK' | 'db', bytes: Buffer, started: readonly View[]): Promise<void> {
  try {
    const lists = parseSignatureLists(parseAuthenticatedVariable(bytes).value);
    if (lists.length === 0) throw new Error('it holds no key');
    for (const image of started) await verifyPe(image, { db: lists, dbx: [] });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it is none';
    throw unusable(enrollmentFiles[name], `can not be enrolled: ${why}`, cause);
  }
}

/** An image that says nothing enrols nothing. */
function modeOf(enrollKeys: string | undefined): SecureBootEnrollment {
  const known = secureBootEnrollments.find((mode) => mode === (enrollKeys ?? 'off'));
  if (known !== undefined) return known;
  throw new UpgradeError('ERR_UPGRADE_IMAGE', `manifest.json: enrollKeys is ${JSON.stringify(enrollKeys)}`);
}

async function bytesOf(name: string, files: PulledInstaller['files']): Promise<Buffer> {
  const view = files.get(name);
  if (view === undefined || view.size > largestBytes)
    throw unusable(name, `has more than ${largestBytes} bytes`);
  return await view.bytes();
}

function unusable(name: string, why: string, cause?: unknown): UpgradeError {
  return new UpgradeError('ERR_UPGRADE_IMAGE', `${name} of the installer image ${why}`, { cause });
}
