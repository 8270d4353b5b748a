import { type Environment, type Settings, wrong } from '../settings.ts';

/** Where objects are that several factories share: a bucket of an S3-compatible store. */
export type BucketOptions = {
  readonly bucket: string;
  /** Name or address, with a port if it is not the usual one. */
  readonly endpoint: string;
  readonly region: string;
  /**
   * File as `~/.aws/credentials`, whose `default` is taken; read for each request, so that new ones count without a restart. Without it
   * the environment says who asks, by the variables that all programs for such stores have.
   */
  readonly credentialsPath?: string;
  /** Without TLS. */
  readonly isInsecure?: boolean;
  /** Authorities of the endpoint in PEM, in place of those that come with Node.js. */
  readonly caPath?: string;
  /** How long nothing may come or go, and how long an answer may take to begin; 30 s by default. */
  readonly silentMs?: number;
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
export function readBucket(settings: Settings, environment: Environment): BucketOptions | undefined {
  const at = (name: string, what: string): string | undefined => settings.file(`cache.s3.${name}`, what);
  const place = (name: string): string => settings.at(`cache.s3.${name}`)?.place ?? `cache.s3.${name}`;
  const bucket = at('bucket', "a bucket's name");
  const isEnabled = settings.flag('cache.s3.enabled');
  // Variables that other programs have, too, are nobody's business while there is no bucket.
  const variable = ['AWS_REGION', 'AWS_DEFAULT_REGION'].find((name) => isEnabled && environment[name]);
  const given = at('region', 'a region');
  const region = given ?? environment[variable ?? ''] ?? 'us-east-1';
  const endpoint = at('endpoint', 'a host') ?? `s3.${region}.amazonaws.com`;
  const credentialsPath = at('credentialsPath', 'a file');
  const caPath = at('caPath', 'a file');
  const isInsecure = settings.flag('cache.s3.insecure');
  if (!/^[a-z\d-]{1,64}$/.test(region))
    throw wrong(`${given === undefined ? variable : place('region')}: must be a region as us-east-1`);
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(endpoint) || !URL.canParse(`https://${endpoint}`))
    throw wrong(`${place('endpoint')}: must be a host as s3.example.com, or with a port`);
  if (isInsecure && caPath !== undefined)
    throw wrong(`${place('caPath')}: cache.s3.insecure is without TLS, and has no certificates`);
  if (!isEnabled) return undefined;
  if (bucket === undefined) throw wrong('cache.s3.bucket: cache.s3.enabled needs it');
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket))
    throw wrong(`${place('bucket')}: must be a bucket's name, of small letters, digits, - and .`);
  const files = {
    ...(credentialsPath !== undefined && { credentialsPath }),
    ...(caPath !== undefined && { caPath }),
  };
  return { bucket, endpoint, region, isInsecure, ...files };
}
