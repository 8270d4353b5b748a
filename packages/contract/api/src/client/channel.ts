import type { Client } from '@grpc/grpc-js';

import type { TlsConnector } from './tls.ts';

/** What a caller may say about one call. */
export type CallOptions = {
  /** Target node when it is not the endpoint itself: the endpoint passes the call on. */
  readonly node?: string | undefined;
  /** Largest time for the whole call. Default 30 s; a watch has none. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Signs a call: gets the path of its method and the headers that it has, and gives those that it needs besides.
 * What it rejects with is what the call fails with.
 */
export type CallSigner = (
  path: string,
  headers: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>>>;

/** One connection and what its calls have in common. */
export type Channel = {
  /** Made when it is first asked for. */
  readonly client: Client;
  readonly connector: TlsConnector;
  /** Fires when the client is closed; its reason is a `TypeError`. */
  readonly closed: AbortSignal;
  readonly endpoint: string;
  /** Cluster behind a proxy endpoint. */
  readonly cluster: string | undefined;
  /** Signs every call; undefined where a client certificate, or nothing, says who calls. */
  readonly sign?: CallSigner | undefined;
};
