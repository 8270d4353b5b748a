import { CodedError } from '@nodecore/sys';

export type CapturesErrorCode =
  | 'ERR_CAPTURES_BUSY' // as many run as the node has memory for
  | 'ERR_CAPTURES_FILE' // the node has no capture file of this name
  | 'ERR_CAPTURES_REQUEST' // a field of the request holds what it can't
  | 'ERR_CAPTURES_SPACE' // the node has no room for the file
  | 'ERR_CAPTURES_UNKNOWN'; // no capture with this id runs

/** Why the node does not capture, or not into a file. */
export class CapturesError extends CodedError<CapturesErrorCode> {
  static {
    this.prototype.name = 'CapturesError';
  }
}
