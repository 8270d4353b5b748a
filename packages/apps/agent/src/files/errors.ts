import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';
import type { NativeError } from '@nodecore/native/files';

export type FilesErrorCode =
  | 'ERR_FILES_REQUEST' // a field of the request holds what it can't
  | 'ERR_FILES_NOT_FOUND' // there is no such file or directory
  | 'ERR_FILES_KIND' // it is no regular file
  | 'ERR_FILES_REFUSED' // it is never opened, or the kernel does not let the agent
  | 'ERR_FILES_BUSY' // as many are being read as may be
  | 'ERR_FILES_FAILED'; // anything else; the message has the errno

const kinds: ErrorKinds<FilesErrorCode> = {
  ERR_FILES_REQUEST: 'invalid',
  ERR_FILES_NOT_FOUND: 'not-found',
  ERR_FILES_KIND: 'refused',
  ERR_FILES_REFUSED: 'refused',
  ERR_FILES_BUSY: 'busy',
  ERR_FILES_FAILED: 'internal',
};

/** Why the node does not show a file to a caller. */
export class FilesError extends CodedError<FilesErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FilesError';
  }
}

const codes: Readonly<Record<string, FilesErrorCode>> = {
  ENOENT: 'ERR_FILES_NOT_FOUND',
  ENOTDIR: 'ERR_FILES_NOT_FOUND',
  EISDIR: 'ERR_FILES_KIND',
  EINVAL: 'ERR_FILES_KIND',
  EACCES: 'ERR_FILES_REFUSED',
  ELOOP: 'ERR_FILES_REFUSED',
  EPERM: 'ERR_FILES_REFUSED',
};

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'what it names as a directory is none',
  EISDIR: 'is a directory, and not a regular file',
  EINVAL: 'is not a regular file',
  ELOOP: 'leads around in a circle, or through a link to what a process has open',
  EPERM: 'is not shown to anybody',
  EAGAIN: 'has nothing to read now',
};

/** A failed system call on what a caller has named. */
export function filesError(path: string, error: NativeError): FilesError {
  const { errno, syscall } = error;
  if (syscall === 'pthread_create')
    return new FilesError('ERR_FILES_BUSY', 'too many files are being read; try again later', {
      cause: error,
    });
  const code = syscall === 'open' ? codes[errno] : undefined;
  const said = words[errno] ?? '';
  const text = said === '' ? `${syscall}: ${errno}` : `${said} (${syscall}: ${errno})`;
  return new FilesError(code ?? 'ERR_FILES_FAILED', `${path}: ${text}`, { cause: error });
}
