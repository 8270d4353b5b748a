import type { AddonHandle } from './addon-handle.ts';

/** `Piece` of source.h: {@link fileHeadroomBytes} that are free, and the bytes. */
export type AddonFilePiece = {
  readonly bytes: ArrayBuffer;
  readonly report?: Uint8Array;
  readonly last: boolean;
};

export type AddonFileStream = AddonHandle & {
  submit(): void;
  receive(): AddonFilePiece | undefined;
};

/** The exports that files use. The shape of the request depends on the kind. */
export type FilesAddon = {
  readonly FileStream: new (kind: 'copy' | 'list' | 'read' | 'usage', request: object) => AddonFileStream;
};
