import { CodedError, type ErrorKind } from '@nodecore/sys/pure';

/** Some files could not be looked at; they were named, and all others printed. */
export class IncompleteError extends CodedError<'ERR_INCOMPLETE'> {
  constructor(count: number) {
    super('ERR_INCOMPLETE', count === 1 ? '1 file could not be read' : `${count} files could not be read`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'IncompleteError';
  }
}

/** A stream that ended in order, and without what makes it whole. */
export class TruncatedError extends CodedError<'ERR_TRUNCATED'> {
  constructor() {
    super('ERR_TRUNCATED', 'the archive is cut off: the node sent no report');
  }

  override get kind(): ErrorKind {
    return 'damaged';
  }

  static {
    this.prototype.name = 'TruncatedError';
  }
}

/** An archive that is damaged, or that nobody honest makes. */
export class ArchiveError extends CodedError<'ERR_ARCHIVE'> {
  constructor(message: string) {
    super('ERR_ARCHIVE', message);
  }

  override get kind(): ErrorKind {
    return 'damaged';
  }

  static {
    this.prototype.name = 'ArchiveError';
  }
}

/** A volume that is not there. */
export class UnknownVolumeError extends CodedError<'ERR_VOLUME_UNKNOWN'> {
  constructor(name: string) {
    super('ERR_VOLUME_UNKNOWN', `there is no volume ${name}`);
  }

  override get kind(): ErrorKind {
    return 'not-found';
  }

  static {
    this.prototype.name = 'UnknownVolumeError';
  }
}

/** A volume that has no file system to be measured. */
export class VolumeSpaceError extends CodedError<'ERR_VOLUME_SPACE'> {
  constructor(name: string, why: string) {
    super('ERR_VOLUME_SPACE', `volume ${name} ${why}`);
  }

  override get kind(): ErrorKind {
    return 'refused';
  }

  static {
    this.prototype.name = 'VolumeSpaceError';
  }
}
