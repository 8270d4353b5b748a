import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type Descriptor,
  DigestCheck,
  type OciLayout,
  parseManifest,
  type RegistryClient,
} from '@nodecore/oci';
import { type ReleaseFile, releaseFileName, signatureFileName } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';
import { documentsOf, fileDescriptor } from './release-image.ts';
import type { ReleaseDocuments } from './signed-release.ts';

/** Where a release comes from. Nothing that it gives is proven. */
export type ReleaseSource = {
  readonly documents: (signal?: AbortSignal) => Promise<ReleaseDocuments>;
  /** The bytes of a file from a place on. */
  readonly read: (
    path: string,
    file: ReleaseFile,
    start: number,
    signal?: AbortSignal,
  ) => AsyncIterable<Uint8Array>;
};

/** Far above any release.json. */
const largestDocument = 4 * 1024 * 1024;

/** A release directory; links in it are followed nowhere. */
export function directorySource(directory: string): ReleaseSource {
  return {
    documents: async () => {
      const path = join(directory, releaseFileName);
      const bytes = await document(path).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        throw new FactoryError(
          'ERR_FACTORY_RELEASE_NONE',
          `${directory}: no release: it has no ${releaseFileName}`,
        );
      });
      return { bytes, signature: await document(join(directory, signatureFileName)) };
    },
    async *read(path, _file, start, signal) {
      await using file = await openFile(join(directory, path));
      const options = { start, autoClose: false, highWaterMark: 256 * 1024, signal };
      for await (const chunk of file.createReadStream(options)) yield chunk as Buffer;
    },
  };
}

/** A release of a registry or an OCI layout, under a tag. */
export function imageSource(
  from: Pick<RegistryClient, 'manifest' | 'blobFrom'> | OciLayout,
  repository: string,
  tag: string,
): ReleaseSource {
  const blob = async (descriptor: Descriptor, signal?: AbortSignal): Promise<Buffer> => {
    if (descriptor.size > largestDocument)
      throw new FactoryError('ERR_FACTORY_RELEASE', `${tag}: ${descriptor.mediaType} is too large`);
    const check = new DigestCheck(descriptor.digest, descriptor.size);
    const chunks: Uint8Array[] = [];
    for await (const chunk of from.blobFrom(repository, descriptor, 0, signal)) {
      check.update(chunk);
      chunks.push(chunk);
    }
    check.end();
    return Buffer.concat(chunks);
  };
  return {
    documents: async (signal) => {
      const found = parseManifest((await from.manifest(repository, tag, signal)).bytes);
      const { document: bytes, signature } = documentsOf(found, tag);
      return { bytes: await blob(bytes, signal), signature: await blob(signature, signal) };
    },
    read: (_path, file, start, signal) => from.blobFrom(repository, fileDescriptor(file), start, signal),
  };
}

function isMissing(error: unknown): boolean {
  const code = error instanceof FactoryError ? codeOf(error.cause) : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

async function document(path: string): Promise<Buffer> {
  await using file = await openFile(path);
  if ((await file.stat()).size > largestDocument)
    throw new FactoryError('ERR_FACTORY_RELEASE', `${path}: it is too large`);
  return await file.readFile();
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new FactoryError('ERR_FACTORY_RELEASE', `${path}: ${codeOf(error) ?? 'can not be read'}`, {
      cause: error,
    });
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new FactoryError('ERR_FACTORY_RELEASE', `${path}: it is no file`);
}
