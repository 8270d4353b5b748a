import { constants } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';

import {
  type Descriptor,
  type Digest,
  DigestCheck,
  OciError,
  OciLayout,
  parseManifest,
  type RegistryClient,
} from '@nodecore/oci';

import { FactoryError } from '../errors.ts';
import { locked } from './directory-lock.ts';
import { documentBlobs, documentsOf, fileDescriptor, releaseImage } from './release-image.ts';
import { filesOf, type ReleaseTarget } from './target.ts';

type Blob = Pick<Descriptor, 'digest' | 'size'>;
type From = (start: number) => AsyncIterable<Uint8Array>;

/** A repository of a registry; the version becomes the tag, which is pushed when all that it names is there. */
export function registryTarget(client: RegistryClient, repository: string): ReleaseTarget {
  return {
    store: async ({ signed, read, onFile, signal }) => {
      const { version } = signed.release;
      await assertSame(client, repository, version, documentBlobs(signed).document.digest, signal);
      const put = (blob: Blob, from: From): Promise<boolean> =>
        client.pushBlob(repository, blob, () => from(0), signal);
      for (const [path, file] of filesOf(signed))
        onFile(path, file, await put(fileDescriptor(file), (start) => read(path, file, start)));
      const { document, signature } = documentBlobs(signed);
      await put(signature, () => once(signed.signature));
      await put(document, () => once(signed.bytes));
      await client.pushManifest(repository, version, releaseImage(signed), signal);
    },
  };
}

/** A directory in OCI's image layout, which may have other images and releases. */
export function layoutTarget(directory: string): ReleaseTarget {
  return {
    store: async ({ signed, read, onFile, signal }) => {
      const { version } = signed.release;
      await mkdir(directory, { recursive: true });
      await assertOfLayout(directory);
      await using place = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
      await locked(place, directory);
      const layout = await OciLayout.create(directory);
      await assertSame(layout, '', version, documentBlobs(signed).document.digest, signal);
      const put = async (blob: Blob, from: From): Promise<boolean> => {
        if (await isWhole(layout, blob, signal)) return false;
        await layout.putBlob(blob, from);
        return true;
      };
      for (const [path, file] of filesOf(signed))
        onFile(path, file, await put(fileDescriptor(file), (start) => read(path, file, start)));
      const { document, signature } = documentBlobs(signed);
      await put(signature, (start) => once(signed.signature.subarray(start)));
      await put(document, (start) => once(signed.bytes.subarray(start)));
      const { bytes, digest, mediaType } = releaseImage(signed);
      const manifest = { mediaType, digest, size: bytes.length };
      await put(manifest, (start) => once(bytes.subarray(start)));
      await layout.tag(version, manifest);
    },
  };
}

/** A layout is made where nothing is, or where somebody was interrupted who made one. */
async function assertOfLayout(directory: string): Promise<void> {
  const names = await readdir(directory);
  const other = names.find((name) => !/^(?:blobs|(?:index\.json|oci-layout)(?:\.part)?)$/.test(name));
  if (names.includes('oci-layout') || other === undefined) return;
  throw new FactoryError(
    'ERR_FACTORY_PLACE',
    `${directory}: it is no OCI layout, and it is not empty: it has ${JSON.stringify(other)}`,
  );
}

/** A tag that is there names this release, or nothing is touched. */
async function assertSame(
  target: RegistryClient | OciLayout,
  repository: string,
  version: string,
  expected: Digest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = await target.manifest(repository, version, signal).catch((error: unknown) => {
    if (error instanceof OciError && error.code === 'ERR_OCI_NOT_FOUND') return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (documentsOf(parseManifest(found.bytes), version).document.digest === expected) return;
  throw new FactoryError(
    'ERR_FACTORY_RELEASE_OTHER',
    `${version} is there, and it is another release: ${found.digest}`,
  );
}

/** Whether a layout has a blob, byte for byte. */
async function isWhole(layout: OciLayout, blob: Blob, signal: AbortSignal | undefined): Promise<boolean> {
  if (!(await layout.hasBlob(blob))) return false;
  const check = new DigestCheck(blob.digest, blob.size);
  for await (const chunk of layout.blobFrom('', blob, 0, signal)) check.update(chunk);
  try {
    check.end();
    return true;
  } catch (error) {
    if (error instanceof OciError) return false;
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
