import { EfiError } from '../errors.ts';
import { guids } from '../guid.ts';

/** The variables that hold the keys of Secure Boot, from the one that owns the platform to the ones that images are held against. */
export type KeyVariable = 'PK' | 'KEK' | 'db' | 'dbx';

const vendors: Readonly<Record<KeyVariable, string>> = {
  PK: guids.global,
  KEK: guids.global,
  db: guids.imageSecurity,
  dbx: guids.imageSecurity,
};

/** The GUID that belongs to the name of a variable with keys. */
export function vendorOf(name: KeyVariable): string {
  return vendors[name];
}

/**
 * The name of a variable in UCS-2.
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` for a name that no variable, and no file of efivarfs, can have.
 */
export function nameBytes(name: string): Buffer {
  if (/^[\x21-\x2e\x30-\x7e]{1,255}$/u.test(name)) return Buffer.from(name, 'utf16le');
  throw new EfiError('ERR_EFI_VARIABLE', `${JSON.stringify(name)} is no name of a variable`);
}
