import { EfiError } from '../errors.ts';
import { guidBytes, guids, guidText } from '../guid.ts';
import type { Signer } from '../signer.ts';
import { keyVariable } from './attributes.ts';
import { decodeTime, encodeTime, timeBytes } from './efi-time.ts';
import { type KeyVariable, nameBytes, vendorOf } from './key-variables.ts';

/** WIN_CERTIFICATE_UEFI_GUID in front of the signature: length, revision 2.0, type, and the GUID of PKCS #7. */
const certificateHeader = 24;
const revision = 0x0200;
const uefiGuid = 0x0ef1;
const maxBytes = 1 << 20;

/** A new value of a variable with keys, and who vouches for it. */
export type VariableUpdate = {
  readonly name: KeyVariable;
  /** Signature lists; empty to remove the variable. */
  readonly value: Uint8Array;
  /** Firmware takes an update only when it is later than the one before. */
  readonly time: Date;
};

/**
 * An update that firmware takes from anybody: `PK.auth`, `KEK.auth`, `db.auth` (EFI_VARIABLE_AUTHENTICATION_2 and the value).
 * PK is signed by itself or the former one, KEK by PK, db and dbx by KEK. Equal inputs give equal bytes.
 *
 * @throws {EfiError} `ERR_EFI_KEY`, `ERR_EFI_VARIABLE`
 */
export async function authenticatedVariable(update: VariableUpdate, signer: Signer): Promise<Buffer> {
  const { signData } = await import('../signed-data.ts');
  const signature = await signData({ detached: signedBytes(update) }, signer);
  const header = Buffer.alloc(certificateHeader);
  header.writeUInt32LE(certificateHeader + signature.length, 0);
  header.writeUInt16LE(revision, 4);
  header.writeUInt16LE(uefiGuid, 6);
  header.set(guidBytes(guids.pkcs7), 8);
  return Buffer.concat([encodeTime(update.time), header, signature, update.value]);
}

/** An update as it lies in a file; its signature is not proven. */
export type AuthenticatedVariable = {
  readonly time: Date;
  readonly value: Buffer;
  /** PKCS #7 SignedData. */
  readonly signature: Buffer;
};

/**
 * Reads an update.
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` naming what is wrong.
 */
export function parseAuthenticatedVariable(bytes: Uint8Array): AuthenticatedVariable {
  const data = Buffer.from(bytes);
  if (data.length > maxBytes || data.length < timeBytes + certificateHeader) {
    throw invalid(`it has ${data.length} bytes`);
  }
  const length = data.readUInt32LE(timeBytes);
  const kind = data.readUInt16LE(timeBytes + 4) === revision && data.readUInt16LE(timeBytes + 6) === uefiGuid;
  if (!kind || guidText(data, timeBytes + 8) !== guids.pkcs7) throw invalid('it is not signed with PKCS #7');
  if (length < certificateHeader || length > data.length - timeBytes)
    throw invalid(`a signature of ${length} bytes`);
  return {
    time: decodeTime(data),
    signature: data.subarray(timeBytes + certificateHeader, timeBytes + length),
    value: data.subarray(timeBytes + length),
  };
}

/**
 * Whether the holder of the certificate signed this update of this variable.
 *
 * @throws {EfiError} `ERR_EFI_SIGNATURE` for what is no signature at all.
 */
export async function isVariableSignedBy(
  name: KeyVariable,
  { time, value, signature }: AuthenticatedVariable,
  certificate: Uint8Array,
): Promise<boolean> {
  const { isSignedBy, readSignedData } = await import('../signed-data.ts');
  return isSignedBy(readSignedData(signature), certificate, signedBytes({ name, value, time }));
}

/** Name without its NUL, vendor, attributes, time, value (UEFI 2.10, 8.2.2). */
function signedBytes({ name, value, time }: VariableUpdate): Buffer {
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(keyVariable);
  return Buffer.concat([nameBytes(name), guidBytes(vendorOf(name)), flags, encodeTime(time), value]);
}

function invalid(why: string): EfiError {
  return new EfiError('ERR_EFI_VARIABLE', `not an authenticated variable: ${why}`);
}
