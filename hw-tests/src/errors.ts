import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type RigErrorCode =
  | 'ERR_RIG_NOT_SET_UP' // something that scripts/setup provides is missing; the message names it
  | 'ERR_RIG_BOOT' // the machine did not come up; the message carries the end of its console
  | 'ERR_RIG_STOPPED' // the machine is off, so it can't run anything
  | 'ERR_RIG_DISK' // a disk of the machine's value did not appear inside it
  | 'ERR_RIG_RECORD' // a record of writes can't be made, or is no such record
  | 'ERR_RIG_SPEC'; // the machine's value can't be built

const kinds: ErrorKinds<RigErrorCode> = {
  ERR_RIG_NOT_SET_UP: 'unsupported',
  ERR_RIG_BOOT: 'timeout',
  ERR_RIG_STOPPED: 'refused',
  ERR_RIG_DISK: 'timeout',
  ERR_RIG_RECORD: 'invalid',
  ERR_RIG_SPEC: 'invalid',
};

/** Something about a rig machine went wrong; `machine` is the name in its spec, or a file of its. */
export class RigError extends CodedError<RigErrorCode> {
  readonly machine: string;

  constructor(code: RigErrorCode, machine: string, message: string, options?: ErrorOptions) {
    super(code, `${machine}: ${message}`, options);
    this.machine = machine;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'RigError';
  }
}
