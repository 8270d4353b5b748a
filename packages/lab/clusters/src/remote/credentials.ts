import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { createWebAuthority, fingerprint, issueWebServer } from '@nodecore/pki';
import { makeDirectory, Secret, unlessGone, writeFileAtomic } from '@nodecore/sys';

import { ClusterError } from '../errors.ts';

/** By what callers know the server, and it them. */
export type RemoteCredentials = Disposable & {
  /** PEM. */
  readonly crt: string;
  readonly key: Secret;
  /** SPKI SHA-256 of the certificate, in base64. */
  readonly fingerprint: string;
  /** Whether a call has the token. */
  readonly isToken: (text: string) => boolean;
  /** The token, when it was made now: it is shown once. */
  readonly newToken?: string;
};

/** Files with credentials; what is not named is made, and kept. */
export type CredentialFiles = {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly tokenFile?: string | undefined;
};

/** Ten years: callers pin the key. */
const lifetimeMs = 87_600 * 3_600_000;

/**
 * Credentials of a server.
 *
 * @param directory where those that are made are kept, for root alone.
 * @throws {ClusterError} `ERR_CLUSTER_REQUEST` for a token that is easily guessed; {PkiError} for what is no certificate.
 */
export async function remoteCredentials(
  directory: string,
  { certFile, keyFile, tokenFile }: CredentialFiles = {},
): Promise<RemoteCredentials> {
  await makeDirectory(directory);
  const paths = {
    crt: certFile ?? join(directory, 'crt.pem'),
    key: keyFile ?? join(directory, 'key.pem'),
  };
  if (certFile === undefined && (await unlessGone(readFile(paths.crt, 'utf8'))) === undefined)
    await makeIdentity(paths);
  const crt = await readFile(paths.crt, 'utf8');
  const token = await tokenOf(tokenFile ?? join(directory, 'token'), tokenFile === undefined);
  const expected = digestOf(token.text);
  const key = Secret.take(await readFile(paths.key));
  return {
    crt,
    key,
    fingerprint: fingerprint(crt),
    isToken: (text) => timingSafeEqual(digestOf(text), expected),
    ...(token.isNew && { newToken: token.text }),
    [Symbol.dispose]: () => key[Symbol.dispose](),
  };
}

/** The key first: a certificate without one would be taken for whole. */
async function makeIdentity(paths: { readonly crt: string; readonly key: string }): Promise<void> {
  const authority = await createWebAuthority('nodecore clusters', { lifetimeMs });
  using _authorityKey = authority.key;
  const made = await issueWebServer(authority, { names: [hostname(), 'localhost', '127.0.0.1'], lifetimeMs });
  using key = made.key;
  await writeFileAtomic(paths.key, key.bytes);
  await writeFileAtomic(paths.crt, made.crt);
}

async function tokenOf(
  path: string,
  mayMake: boolean,
): Promise<{ readonly text: string; readonly isNew: boolean }> {
  const there = mayMake ? await unlessGone(readFile(path, 'utf8')) : await readFile(path, 'utf8');
  if (there === undefined) {
    const text = randomBytes(32).toString('base64url');
    await writeFileAtomic(path, `${text}\n`);
    return { text, isNew: true };
  }
  const text = there.trim();
  if (/^[!-~]{16,512}$/.test(text)) return { text, isNew: false };
  throw new ClusterError('ERR_CLUSTER_REQUEST', `${path}: a token has 16 to 512 letters, digits and signs`);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
