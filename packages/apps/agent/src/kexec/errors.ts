import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type KexecErrorCode =
  | 'ERR_KEXEC_UNPROVEN' // nobody knows that the kernel would come up as the firmware would start it
  | 'ERR_KEXEC_LOAD'; // the running kernel does not take it

const kinds: ErrorKinds<KexecErrorCode> = {
  ERR_KEXEC_UNPROVEN: 'refused',
  ERR_KEXEC_LOAD: 'unavailable',
};

/** Why a reboot goes through the firmware. */
export class KexecError extends CodedError<KexecErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'KexecError';
  }
}
