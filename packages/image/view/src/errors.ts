import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ViewErrorCode =
  | 'ERR_VIEW_CHANGED' // a file is no longer what it was when the view was made; the bytes so far are good, there are no more
  | 'ERR_VIEW_UNREADABLE' // the system does not give it now, for a reason that says nothing of the file
  | 'ERR_VIEW_RANGE' // a range or a size that no view has
  | 'ERR_VIEW_TOO_LARGE'; // it does not fit into one buffer

const kinds: ErrorKinds<ViewErrorCode> = {
  ERR_VIEW_CHANGED: 'damaged',
  ERR_VIEW_UNREADABLE: 'unavailable',
  ERR_VIEW_RANGE: 'invalid',
  ERR_VIEW_TOO_LARGE: 'exhausted',
};

/** Why the bytes of a view can't be had. */
export class ViewError extends CodedError<ViewErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ViewError';
  }
}
