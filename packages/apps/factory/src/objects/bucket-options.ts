import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { type Settings, wrong } from '../settings.ts';

/** Where objects are that several factories share: a bucket of an S3-compatible store. */
export type BucketOptions = {
  readonly bucket: string;
  /** Name or address, with a port if it is not the usual one. */
  readonly endpoint: string;
  readonly region: string;
  /** File as `~/.aws/credentials`, whose `default` is taken; read for each request, so that new ones count without a restart. */
  readonly credentialsPath: string;
  /** Without TLS. */
  readonly isInsecure?: boolean;
  /** Authorities of the endpoint in PEM, in place of those that come with Node.js. */
  readonly caPath?: string;
};

/** The keys of {@link readBucket}. */
export const bucketKeys = [
  'cache.s3.bucket',
  'cache.s3.caPath',
  'cache.s3.credentialsPath',
  'cache.s3.enabled',
  'cache.s3.endpoint',
  'cache.s3.insecure',
  'cache.s3.region',
] as const;

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is. */
export function readBucket(settings: Settings): BucketOptions | undefined {
  const at = (name: string, what: string): string | undefined => settings.file(`cache.s3.${name}`, what);
  const place = (name: string): string => settings.at(`cache.s3.${name}`)?.place ?? `cache.s3.${name}`;
  const bucket = at('bucket', "a bucket's name");
  const region = at('region', 'a region') ?? 'us-east-1';
  const endpoint = at('endpoint', 'a host') ?? `s3.${region}.amazonaws.com`;
  const credentialsPath = at('credentialsPath', 'a file');
  const caPath = at('caPath', 'a file');
  const isInsecure = settings.flag('cache.s3.insecure');
  if (!/^[a-z\d-]{1,64}$/.test(region)) throw wrong(`${place('region')}: must be a region as us-east-1`);
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(endpoint) || !URL.canParse(`https://${endpoint}`))
    throw wrong(`${place('endpoint')}: must be a host as s3.example.com, or with a port`);
  if (isInsecure && caPath !== undefined)
    throw wrong(`${place('caPath')}: cache.s3.insecure is without TLS, and has no certificates`);
  if (!settings.flag('cache.s3.enabled')) return undefined;
  if (bucket === undefined) throw wrong('cache.s3.bucket: cache.s3.enabled needs it');
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket))
    throw wrong(`${place('bucket')}: must be a bucket's name, of small letters, digits, - and .`);
  if (credentialsPath === undefined) throw wrong('cache.s3.credentialsPath: cache.s3.enabled needs it');
  return { bucket, endpoint, region, credentialsPath, isInsecure, ...(caPath !== undefined && { caPath }) };
}

/** Who asks a bucket. */
export type BucketCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, and nothing of the file in it. */
export async function readCredentials(path: string): Promise<BucketCredentials> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw wrong(`cache.s3.credentialsPath: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  const found = new Map<string, string>();
  let isDefault = true;
  for (const line of bytes.toString().split('\n')) {
    const section = /^\s*\[\s*(?<name>[^\]]*?)\s*\]/.exec(line)?.groups?.['name'];
    if (section !== undefined) isDefault = section === 'default';
    const { name, value } = /^\s*(?<name>\w+)\s*=\s*(?<value>\S+)\s*$/.exec(line)?.groups ?? {};
    if (isDefault && name !== undefined && value !== undefined) found.set(name.toLowerCase(), value);
  }
  bytes.fill(0);
  const [accessKeyId, secretAccessKey, sessionToken] = [
    found.get('aws_access_key_id'),
    found.get('aws_secret_access_key'),
    found.get('aws_session_token'),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw wrong(
      `cache.s3.credentialsPath: ${path}: must have aws_access_key_id and aws_secret_access_key of default`,
    );
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}
