import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';

import type { InstallerKey } from '../assets/installer-key.ts';
import { Bucket } from './bucket.ts';
import type { BucketOptions } from './bucket-options.ts';
import { ObjectStore } from './object-store.ts';
import { type InTurn, SharedObjects } from './shared-objects.ts';

const defaultCacheSizeBytes = 10 * 2 ** 30;

/**
 * What was compressed or converted, here alone or in a bucket besides; owned by a stack.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function openObjects(
  given: {
    readonly storage: string;
    readonly cacheSizeBytes?: number;
    readonly bucket?: BucketOptions;
    readonly onWarning?: (line: string) => void;
  },
  { inTurn, keys, open }: { inTurn: InTurn; keys: InstallerKey; open: AsyncDisposableStack },
): Promise<ObjectStore | SharedObjects> {
  const {
    storage,
    cacheSizeBytes = defaultCacheSizeBytes,
    bucket: options,
    onWarning: warn = console.error,
  } = given;
  const local = open.use(await ObjectStore.open(join(storage, 'objects'), cacheSizeBytes));
  if (options === undefined) return local;
  const { privateKey, publicPem } = keys;
  const bucket = await Bucket.open(options, { privateKey, publicKey: createPublicKey(publicPem) }, warn);
  return new SharedObjects({ local, bucket, inTurn, warn });
}
