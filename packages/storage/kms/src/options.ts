import type { Secret } from '@nodecore/sys';

import type { Connections } from './connections.ts';
import type { PeerOptions } from './peer-options.ts';

/** How a call is made: on which connection, and for how long. */
export type ClientOptions = PeerOptions & {
  /** For the whole call with name resolution and connection. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Where connections are kept for later calls. Without it a call has one of its own, which is closed after it. */
  readonly connections?: Connections | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type SealRequest = {
  /** Of the machine, as SMBIOS has it. */
  readonly nodeUuid: string;
  /** The key, 32 bytes. Stays the caller's. */
  readonly data: Secret;
  /** What the key is for. A server of ours binds it to the blob: unsealing must say the same. Others ignore it. */
  readonly volume?: string | undefined;
};

export type UnsealRequest = {
  readonly nodeUuid: string;
  /** What `seal` returned. */
  readonly data: Uint8Array;
  readonly volume?: string | undefined;
};
