import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { type Environment, wrong } from '../settings.ts';

/** Who asks a bucket. */
export type BucketCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

const key = 'cache.s3.credentialsPath';
const [idName, secretName, tokenName, fileName, profileName] = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_PROFILE',
] as const;

/** Where credentials are looked for, for people: never what was found there. */
export function placeOfCredentials(path: string | undefined, environment: Environment): string {
  if (path !== undefined) return key;
  return environment[idName] ? idName : fileName;
}

/**
 * Of the file that the configuration names; where it names none, of the environment: a key there, or a file.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming what is missing, and with nothing secret in it.
 */
export async function readCredentials(
  path: string | undefined,
  environment: Environment,
): Promise<BucketCredentials> {
  if (path !== undefined) return await readCredentialsFile(key, path, 'default');
  const [accessKeyId, secretAccessKey, sessionToken] = [idName, secretName, tokenName].map(
    (name) => environment[name] || undefined,
  );
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  if (accessKeyId !== undefined || secretAccessKey !== undefined) {
    const [there, missing] = accessKeyId === undefined ? [secretName, idName] : [idName, secretName];
    throw wrong(`${missing}: ${there} is set, and needs it`);
  }
  const file = environment[fileName];
  if (file) return await readCredentialsFile(fileName, file, environment[profileName] || 'default');
  throw wrong(`${key}: cache.s3.enabled needs it, or ${idName} and ${secretName}, or ${fileName}`);
}

async function readCredentialsFile(at: string, path: string, profile: string): Promise<BucketCredentials> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw wrong(`${at}: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  const found = new Map<string, string>();
  let isAsked = profile === 'default';
  for (const line of bytes.toString().split('\n')) {
    const section = /^\s*\[\s*(?<name>[^\]]*?)\s*\]/.exec(line)?.groups?.['name'];
    if (section !== undefined) isAsked = section === profile;
    const { name, value } = /^\s*(?<name>\w+)\s*=\s*(?<value>\S+)\s*$/.exec(line)?.groups ?? {};
    if (isAsked && name !== undefined && value !== undefined) found.set(name.toLowerCase(), value);
  }
  bytes.fill(0);
  const [accessKeyId, secretAccessKey, sessionToken] = [
    found.get('aws_access_key_id'),
    found.get('aws_secret_access_key'),
    found.get('aws_session_token'),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw wrong(`${at}: ${path}: must have aws_access_key_id and aws_secret_access_key of ${profile}`);
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}
