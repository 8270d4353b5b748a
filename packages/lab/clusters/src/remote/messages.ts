/** A command about clusters, in parts: nothing of it is taken apart again where it is run. */
export type RemoteRequest = {
  /** Behind `osctl cluster`. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly flags: readonly RemoteFlag[];
};

/** A flag without its dashes. */
export type RemoteFlag = { readonly name: string; readonly value: string; readonly bare: boolean };

/** What a command says, piece by piece. */
export type RemotePiece = {
  readonly out?: Uint8Array;
  readonly error?: Uint8Array;
  /** Of the logs of a cluster that was destroyed. */
  readonly archive?: Uint8Array;
  /** Of what its nodes knew of themselves, before. */
  readonly support?: Uint8Array;
};

/** How a command ended. */
export type RemoteEnd = {
  readonly exitCode: number;
  /** With the one context of a cluster that was made. */
  readonly clientConfig?: Uint8Array;
  /** SHA-256 of the certificates of the authorities of a cluster that was destroyed. */
  readonly authorities?: readonly string[];
};

/** Runs a command for a caller. `signal` fires when that goes away. */
export type RemoteRun = (
  request: RemoteRequest,
  caller: { readonly write: (piece: RemotePiece) => Promise<void>; readonly signal: AbortSignal },
) => Promise<RemoteEnd>;
