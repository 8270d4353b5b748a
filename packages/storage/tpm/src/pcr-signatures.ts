import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { type Bank, bankNames, registers } from './banks.ts';
import { TpmError } from './errors.ts';

/** A statement of the key's holder: registers with these values are good. */
export type PcrSignature = {
  readonly bank: Bank;
  readonly pcrs: readonly number[];
  /** SHA-256 of the public key in PKCS #1 form, in hexadecimal. */
  readonly fingerprint: string;
  /** Policy digest that is approved. */
  readonly policy: Uint8Array;
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the SHA-256 of the policy digest. */
  readonly signature: Uint8Array;
};

export type PcrSignatures = readonly PcrSignature[];

export type PcrSignaturePaths = {
  /** Directories, in the order in which they are searched. */
  readonly directories?: readonly string[];
};

/** Where systemd's boot stub, our PID 1 and systemd itself leave them: those of the running image first. */
const defaultDirectories = ['/.extra', '/run/nodeos', '/run/systemd', '/etc/systemd', '/usr/lib/systemd'];

const keyFile = 'tpm2-pcr-public-key.pem';
const signatureFile = 'tpm2-pcr-signature.json';

const largestBytes = 1 << 20;

/**
 * The key whose holder signs for registers, and the signatures that came with the running image; each is the first that is
 * found. What is nowhere is absent.
 *
 * @throws {TpmError} `ERR_TPM_SIGNATURE_INVALID` for a file that is there and is no list of signatures.
 */
export async function pcrSignatures(
  paths: PcrSignaturePaths = {},
): Promise<{ readonly publicKey?: Uint8Array; readonly signatures?: PcrSignatures }> {
  const { directories = defaultDirectories } = paths;
  const publicKey = await first(directories, keyFile);
  const signatures = await first(directories, signatureFile);
  return {
    ...(publicKey === undefined ? {} : { publicKey: publicKey.bytes }),
    ...(signatures === undefined
      ? {}
      : { signatures: parsePcrSignatures(signatures.bytes, signatures.path) }),
  };
}

async function first(
  directories: readonly string[],
  name: string,
): Promise<{ readonly path: string; readonly bytes: Uint8Array } | undefined> {
  for (const directory of directories) {
    const path = `${directory}/${name}`;
    try {
      return { path, bytes: await readFile(path) };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}

/**
 * Reads signatures as `systemd-measure sign` writes them: an object with a list per bank. Banks that we don't know are left out.
 *
 * @throws {TpmError} `ERR_TPM_SIGNATURE_INVALID`
 */
export function parsePcrSignatures(bytes: Uint8Array, path: string): PcrSignatures {
  if (bytes.length > largestBytes) throw invalid(path, `it has ${bytes.length} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    throw invalid(path, 'it is no JSON', cause);
  }
  if (!isRecord(json)) throw invalid(path, 'it is no object');
  return bankNames.flatMap((bank) => {
    const list = json[bank] ?? [];
    if (!Array.isArray(list)) throw invalid(path, `${bank} is no list`);
    return (list as readonly unknown[]).map((entry, n) => {
      const signature = signatureFrom(bank, entry);
      if (signature === undefined) throw invalid(path, `${bank}[${n}] is no signature`);
      return signature;
    });
  });
}

function signatureFrom(bank: Bank, entry: unknown): PcrSignature | undefined {
  if (!isRecord(entry)) return undefined;
  const { pcrs, pkfp, pol, sig } = entry;
  if (!Array.isArray(pcrs) || !pcrs.every(isRegister)) return undefined;
  if (typeof pkfp !== 'string' || !/^[0-9a-f]{64}$/i.test(pkfp)) return undefined;
  if (typeof pol !== 'string' || !/^[0-9a-f]{64}$/i.test(pol)) return undefined;
  if (typeof sig !== 'string' || !/^[A-Za-z0-9+/]{100,1000}={0,2}$/.test(sig)) return undefined;
  return {
    bank,
    pcrs,
    fingerprint: pkfp.toLowerCase(),
    policy: Buffer.from(pol, 'hex'),
    signature: Buffer.from(sig, 'base64'),
  };
}

function isRegister(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < registers;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(path: string, why: string, cause?: unknown): TpmError {
  return new TpmError('ERR_TPM_SIGNATURE_INVALID', `${path} holds no signatures: ${why}`, { cause });
}
