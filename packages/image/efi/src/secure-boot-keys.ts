import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { EfiError } from './errors.ts';
import { parseSignatureLists, type SignatureList } from './signature-list.ts';
import { readCertificate } from './signer.ts';
import { isVariableSignedBy, parseAuthenticatedVariable } from './variables/authenticated.ts';

/** The names of the files that `osctl gen secureboot` writes, and that are looked for in a directory. */
export const secureBootFiles = {
  signingKey: 'uki-signing-key.pem',
  signingCertificate: 'uki-signing-cert.pem',
  signingCertificateDer: 'uki-signing-cert.der',
  pcrKey: 'pcr-signing-key.pem',
  PK: 'PK.auth',
  KEK: 'KEK.auth',
  db: 'db.auth',
} as const;

/** Keys that make images for Secure Boot, proven to fit together. */
export type SecureBootKeys = {
  /** What signs boot loaders and unified kernel images: {@link signPe} takes it. The certificate is in DER. */
  readonly signer: { readonly key: KeyObject; readonly certificate: Buffer };
  /** What signs PCR 11; absent when the directory has none. */
  readonly pcrKey?: KeyObject;
  /** Updates that enrol the keys, byte for byte as they were read. */
  readonly variables: { readonly PK: Buffer; readonly KEK: Buffer; readonly db: Buffer };
  /** What is in db. */
  readonly db: readonly SignatureList[];
};

type Name = 'PK' | 'KEK' | 'db';
type Update = { readonly bytes: Buffer; readonly certificates: readonly Buffer[] };

/**
 * Reads the directory that `osctl gen secureboot` made and proves that firmware will take it: PK signs itself and KEK, KEK signs
 * db, the signing certificate is in db, and the key belongs to it. What does not fit would show at the first boot otherwise.
 *
 * @throws {EfiError} `ERR_EFI_KEY` naming the file and what does not fit; the system's error, as `ENOENT`, for a missing file.
 */
export async function loadSecureBootKeys(directory: string): Promise<SecureBootKeys> {
  const path = (file: keyof typeof secureBootFiles): string => join(directory, secureBootFiles[file]);
  const certificate = Buffer.from(readCertificate(await readFile(path('signingCertificate'))).raw);
  const key = await privateKey(path('signingKey'));
  if (!createPublicKey(key).equals(readCertificate(certificate).publicKey)) {
    throw new EfiError(
      'ERR_EFI_KEY',
      `${path('signingKey')} does not belong to ${secureBootFiles.signingCertificate}`,
    );
  }
  const pk = await update(path('PK'), 'PK');
  await proveSigned(path('PK'), 'PK', pk, pk.certificates);
  const kek = await update(path('KEK'), 'KEK');
  await proveSigned(path('KEK'), 'KEK', kek, pk.certificates);
  const db = await update(path('db'), 'db');
  await proveSigned(path('db'), 'db', db, kek.certificates);
  if (!db.certificates.some((entry) => entry.equals(certificate))) {
    throw new EfiError('ERR_EFI_KEY', `${path('db')} does not hold ${secureBootFiles.signingCertificate}`);
  }
  const pcrKey = await optionalKey(path('pcrKey'));
  return {
    signer: { key, certificate },
    ...(pcrKey && { pcrKey }),
    variables: { PK: pk.bytes, KEK: kek.bytes, db: db.bytes },
    db: parseSignatureLists(parseAuthenticatedVariable(db.bytes).value),
  };
}

async function update(path: string, name: Name): Promise<Update> {
  const bytes = await readFile(path);
  const lists = parseSignatureLists(parseAuthenticatedVariable(bytes).value);
  const certificates = lists.filter(({ type }) => type === 'x509').flatMap(({ entries }) => entries);
  if (certificates.length === 0) throw new EfiError('ERR_EFI_KEY', `${path}: ${name} holds no certificate`);
  return { bytes, certificates: certificates.map(({ data }) => data) };
}

async function proveSigned(
  path: string,
  name: Name,
  { bytes }: Update,
  by: readonly Buffer[],
): Promise<void> {
  const variable = parseAuthenticatedVariable(bytes);
  for (const certificate of by) if (await isVariableSignedBy(name, variable, certificate)) return;
  const above = name === 'PK' ? 'itself' : name === 'KEK' ? 'PK' : 'KEK';
  throw new EfiError('ERR_EFI_KEY', `${path} is not signed by ${above}: firmware would not enrol it`);
}

async function optionalKey(path: string): Promise<KeyObject | undefined> {
  try {
    return await privateKey(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function privateKey(path: string): Promise<KeyObject> {
  const pem = await readFile(path);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // No cause: it could describe the bytes.
  } finally {
    pem.fill(0);
  }
  throw new EfiError('ERR_EFI_KEY', `${path} is no RSA key in PEM`);
}
