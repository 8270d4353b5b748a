import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { readNamed, UsageError } from '@nodecore/cli';
import * as efi from '@nodecore/efi';
import { Secret } from '@nodecore/sys';

import { makeOutputDirectory, type OutputFile, writeFiles, type WriteOptions } from './files.ts';

const generate = promisify(generateKeyPair);
const { secureBootFiles } = efi;

/** Who put the entries into the databases of the firmware: this program, on every machine the same. */
const owner = '3f0f8d1e-7c55-4f43-9d0b-2f6f4c9a51e2';

export type SecureBootOptions = WriteOptions & {
  /** Directory of the files; made when it is not there. */
  readonly output: string;
};

/** The key that signs boot loaders and unified kernel images, and its certificate in PEM and DER. */
export async function genUki(options: SecureBootOptions & { readonly commonName: string }): Promise<void> {
  const { key, certificate } = await named('--common-name', () => efi.createSigningIdentity(options.commonName));
  using pem = privatePem(key);
  await write(options, [
    { path: secureBootFiles.signingCertificate, content: efi.certificatePem(certificate), secret: false },
    { path: secureBootFiles.signingCertificateDer, content: certificate, secret: false },
    { path: secureBootFiles.signingKey, content: pem, secret: true },
  ]);
}

/** The key that signs values of PCR 11: RSA 2048, which every TPM takes. */
export async function genPcr(options: SecureBootOptions): Promise<void> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  using pem = privatePem(privateKey);
  await write(options, [{ path: secureBootFiles.pcrKey, content: pem, secret: true }]);
}

export type DatabaseOptions = SecureBootOptions & {
  /** Certificates that db holds: what images are signed with, and whose option ROMs the machine is to run. */
  readonly enrolledCertificate: readonly string[];
  /** Certificate and key that PK and KEK hold, and that sign all three. */
  readonly signingCertificate: string;
  readonly signingKey: string;
  /** Of the updates; default now. */
  readonly time?: Date;
};

/** `PK.auth`, `KEK.auth` and `db.auth`: what a boot loader enrols in a machine without keys. PK signs itself, KEK and db. */
export async function genDatabase(options: DatabaseOptions): Promise<void> {
  const { time = new Date() } = options;
  const enrolled = await Promise.all(
    options.enrolledCertificate.map((path) => listOf(path, '--enrolled-certificate')),
  );
  const certificate = await readNamed(options.signingCertificate, '--signing-certificate');
  const signing = await listOf(options.signingCertificate, '--signing-certificate');
  const signer = { key: await readKey(options.signingKey), certificate };
  const files: OutputFile[] = [];
  for (const [name, lists] of [['PK', [signing]], ['KEK', [signing]], ['db', enrolled]] as const) {
    const value = efi.encodeSignatureLists(lists);
    const update = { name, value, time };
    const content = await named('--signing-key', () => efi.authenticatedVariable(update, signer));
    files.push({ path: secureBootFiles[name], content, secret: false });
  }
  await write(options, files);
}

async function listOf(path: string, flag: string): Promise<efi.SignatureList> {
  const bytes = await readNamed(path, flag);
  return await named(`${flag} ${path}`, () => efi.certificateList(bytes, owner));
}

async function readKey(path: string): Promise<KeyObject> {
  using pem = Secret.take(await readNamed(path, '--signing-key'));
  try {
    return createPrivateKey(Buffer.from(pem.bytes));
  } catch {
    throw new UsageError(`--signing-key ${path} is no private key in PEM`); // no cause: it could describe the bytes
  }
}

/** PKCS #8 in PEM. The text in between can't be wiped. */
function privatePem(key: KeyObject): Secret {
  return Secret.take(Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })));
}

async function named<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof efi.EfiError) throw new UsageError(`${what}: ${error.message}`);
    throw error;
  }
}

async function write(options: SecureBootOptions, files: readonly OutputFile[]): Promise<void> {
  const paths = files.map((file) => ({ ...file, path: join(options.output, file.path) }));
  await makeOutputDirectory(dirname(paths[0]?.path ?? options.output), 0o755);
  await writeFiles(paths, options);
}
