import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { BucketOptions } from '../src/objects/bucket-options.ts';
import type { S3Server } from './s3-server.ts';

/** A file of credentials, of the profile `default`. @returns its path */
export async function credentials(t: ExecutionContext, secret = 'hunter2', id = 'factory'): Promise<string> {
  const path = join(await temporaryDirectory(t), 'credentials');
  await writeFile(
    path,
    `# ours\n[other]\naws_access_key_id = x\n[default]\naws_access_key_id = ${id}\naws_secret_access_key=${secret}\n`,
  );
  return path;
}

/** The bucket of a server, as a factory is told of it. */
export async function optionsOf(
  t: ExecutionContext,
  server: S3Server,
): Promise<BucketOptions & { readonly credentialsPath: string }> {
  const { endpoint } = server;
  return {
    endpoint,
    bucket: 'factory',
    region: 'eu-1',
    credentialsPath: await credentials(t),
    isInsecure: true,
  };
}
