import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type ImageErrorCode =
  | 'ERR_IMAGE_TOO_SMALL' // what is to be in it does not fit into the size that was asked for
  | 'ERR_IMAGE_TOO_LARGE' // the format has no place for a file or an image of this size
  | 'ERR_IMAGE_NAME' // a path, a label or an identifier that the format can't have, or twice
  | 'ERR_IMAGE_SECTOR' // no sector size of a disk
  | 'ERR_IMAGE_COMPRESSION' // a library can not compress
  | 'ERR_IMAGE_COMMAND_LINE' // an argument that the kernel would read as something else
  | 'ERR_IMAGE_KERNEL' // modules of another kernel than the image's
  | 'ERR_IMAGE_MODULES'; // no list of modules, or two modules of one name

const kinds: ErrorKinds<ImageErrorCode> = {
  ERR_IMAGE_TOO_SMALL: 'invalid',
  ERR_IMAGE_TOO_LARGE: 'exhausted',
  ERR_IMAGE_NAME: 'invalid',
  ERR_IMAGE_SECTOR: 'invalid',
  ERR_IMAGE_COMPRESSION: 'exhausted',
  ERR_IMAGE_COMMAND_LINE: 'invalid',
  ERR_IMAGE_KERNEL: 'invalid',
  ERR_IMAGE_MODULES: 'invalid',
};

/** Why there is no such image. */
export class ImageError extends CodedError<ImageErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ImageError';
  }
}
