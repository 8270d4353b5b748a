import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { buildRelease } from '@nodecore/release';
import {
  extensionFile,
  formatRelease,
  parseRelease,
  releaseFileName,
  signatureFileName,
  signRelease,
} from '@nodecore/schematic/release';
import { output } from '@nodecore/testkit';

import { first } from '../src/system/places.ts';

/** The extension of {@link servedRelease}. */
export const extension = 'os/show';

/** The release of this checkout with an extension, signed anew: what a factory takes. */
export async function servedRelease(
  directory: string,
): Promise<{ readonly releases: string; readonly releaseKeys: readonly string[] }> {
  const built = await buildRelease({ version: first });
  const releases = join(directory, 'releases');
  const place = join(releases, first);
  await mkdir(releases);
  await output(['cp', '--recursive', '--reflink=auto', built.directory, place]);
  const layer = join(place, 'amd64', extensionFile(extension));
  const tree = join(directory, 'show');
  await mkdir(join(tree, 'usr/local/share/show'), { recursive: true, mode: 0o755 });
  await writeFile(join(tree, 'usr/local/share/show/text'), 'of an extension\n');
  await mkdir(dirname(layer), { recursive: true });
  await output(['mksquashfs', tree, layer, '-all-root', '-no-xattrs', '-quiet', '-no-progress']);
  const content = await readFile(layer);
  const release = parseRelease(await readFile(join(place, releaseFileName), 'utf8'));
  const { amd64 } = release.architectures;
  if (amd64 === undefined) throw new Error(`${first} has nothing for amd64`);
  const about = { version: '1.0', author: 'the rig', description: 'shows that it is there', extraInfo: '' };
  const file = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  const bytes = Buffer.from(
    formatRelease({
      ...release,
      architectures: { amd64: { ...amd64, extensions: { ...amd64.extensions, [extension]: about } } },
      files: { ...release.files, [`amd64/${extensionFile(extension)}`]: file },
    }),
  );
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(join(place, releaseFileName), bytes);
  await writeFile(join(place, signatureFileName), signRelease(bytes, privateKey));
  const key = join(directory, 'release.pub');
  await writeFile(key, publicKey.export({ type: 'spki', format: 'pem' }));
  return { releases, releaseKeys: [key] };
}
