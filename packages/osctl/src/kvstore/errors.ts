import { CodedError } from '@nodecore/sys';

/** What arrived is not what was sent. Nothing of it was kept. */
export class SnapshotMismatchError extends CodedError<'ERR_SNAPSHOT_MISMATCH'> {
  constructor(path: string, why: string) {
    super('ERR_SNAPSHOT_MISMATCH', `${path}: ${why}; nothing was kept, take it again`);
  }

  static {
    this.prototype.name = 'SnapshotMismatchError';
  }
}
