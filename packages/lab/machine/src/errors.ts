import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type MachineErrorCode =
  | 'ERR_MACHINE_NOT_SET_UP' // a program or file of this computer is missing; the message names it
  | 'ERR_MACHINE_SPEC' // the machine's value can't be built
  | 'ERR_MACHINE_START' // QEMU or a program that serves it did not start; the message has its last words
  | 'ERR_MACHINE_STOPPED' // the machine is off, so nothing can be asked of it
  | 'ERR_MACHINE_REFUSED' // QEMU does not do this to the machine now; the message has its reason
  | 'ERR_MACHINE_BUSY'; // another process keeps this machine

const kinds: ErrorKinds<MachineErrorCode> = {
  ERR_MACHINE_NOT_SET_UP: 'unsupported',
  ERR_MACHINE_SPEC: 'invalid',
  ERR_MACHINE_START: 'internal',
  ERR_MACHINE_STOPPED: 'refused',
  ERR_MACHINE_REFUSED: 'refused',
  ERR_MACHINE_BUSY: 'busy',
};

/** Something about a machine went wrong; `machine` is the name in its spec. */
export class MachineError extends CodedError<MachineErrorCode> {
  readonly machine: string;

  constructor(code: MachineErrorCode, machine: string, message: string, options?: ErrorOptions) {
    super(code, `${machine}: ${message}`, options);
    this.machine = machine;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'MachineError';
  }
}
