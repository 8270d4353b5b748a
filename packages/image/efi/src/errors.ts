import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it. */
export type EfiErrorCode =
  | 'ERR_EFI_PE' // not a PE file for UEFI, or one whose parts lie where they can't
  | 'ERR_EFI_SIGNATURE' // not signed, or not by a key that is trusted
  | 'ERR_EFI_REVOKED' // signed, but forbidden by dbx
  | 'ERR_EFI_SIGNATURE_LIST' // not a signature list
  | 'ERR_EFI_VARIABLE' // not an authenticated variable, or not a name or GUID that a variable can have
  | 'ERR_EFI_STORE' // not a variable store of OVMF, or no room in it
  | 'ERR_EFI_KEY' // key and certificate that can't sign, or don't belong together
  | 'ERR_EFI_FIRMWARE'; // the firmware's variables can't be reached

const kinds: ErrorKinds<EfiErrorCode> = {
  ERR_EFI_PE: 'invalid',
  ERR_EFI_SIGNATURE: 'refused',
  ERR_EFI_REVOKED: 'refused',
  ERR_EFI_SIGNATURE_LIST: 'invalid',
  ERR_EFI_VARIABLE: 'invalid',
  ERR_EFI_STORE: 'invalid',
  ERR_EFI_KEY: 'invalid',
  ERR_EFI_FIRMWARE: 'unsupported',
};

/** What is wrong with a file, a list, a variable or a key of UEFI. Never carries key bytes. */
export class EfiError extends CodedError<EfiErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'EfiError';
  }
}
