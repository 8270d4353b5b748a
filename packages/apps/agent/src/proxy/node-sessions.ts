import type { ClientHttp2Session } from 'node:http2';
import { hostname } from 'node:os';

import { defaultPort } from '@nodecore/api';
import { ForwardError, openNodeSession } from '@nodecore/api/forward';
import { abortable } from '@nodecore/waiting';

import { ServerError } from '../server/errors.ts';
import type { NodeAddresses } from './node-addresses.ts';
import type { ProxyContext, ProxyCredentials } from './proxy-credentials.ts';

/** How long a node may take to let us in. */
const openMs = 10_000;
/** That a node serves on one connection. */
const maxCalls = 64;
/** A connection without a call ends after that. */
const idleMs = 60_000;
/** How often a connection with calls is asked whether its node is there; it has as long to answer. */
const pingMs = 20_000;

export type NodeSessionsParts = {
  readonly credentials: Pick<ProxyCredentials, 'current'>;
  readonly addresses: Pick<NodeAddresses, 'get'>;
  /** Where nodes listen. */
  readonly port?: number;
};

/** Who wants to reach which node. */
export type Way = {
  /** By its address or name. */
  readonly node: string;
  /** Whose connection it is: no caller stands in the way of another, or ends with them. */
  readonly caller: string;
  readonly signal: AbortSignal;
};

type Kept = {
  readonly session: Promise<ClientHttp2Session>;
  readonly proof: ProxyContext;
  calls: number;
  idle: NodeJS.Timeout | undefined;
};

/** Connections to the API of other nodes, one for each caller and node while it has room, kept while they have calls and a minute longer. */
export class NodeSessions {
  readonly #parts: Required<NodeSessionsParts>;
  readonly #kept = new Map<string, Kept>();
  readonly #closing = new AbortController();

  constructor({ port = defaultPort, ...parts }: NodeSessionsParts) {
    this.#parts = { port, ...parts };
  }

  /** Connections that are open, or being opened. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * Does something over a connection, which stays at least until that is done.
   *
   * @throws {ServerError} `ERR_SERVER_NO_CONTROL_PLANE`, `ERR_SERVER_NODE`, `ERR_SERVER_NODE_UNTRUSTED`, `ERR_SERVER_REQUEST`;
   *   `signal.reason`; whatever `work` throws.
   */
  async use<T>(way: Way, work: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
    const proof = await this.#parts.credentials.current();
    const name = this.#nameFor(way);
    let kept = this.#kept.get(name);
    if (kept === undefined || kept.proof !== proof) {
      this.#drop(name, kept);
      kept = { session: this.#open(way, proof), proof, calls: 0, idle: undefined };
      this.#kept.set(name, kept);
      void this.#follow(name, kept);
    }
    clearTimeout(kept.idle);
    kept.calls += 1;
    try {
      return await work(await abortable(kept.session, way.signal));
    } finally {
      kept.calls -= 1;
      const left = kept;
      if (left.calls === 0)
        left.idle = setTimeout(() => this.#drop(name, left), this.#idleMs(name, left)).unref();
    }
  }

  /** Ends all of them, with their calls. */
  close(): void {
    this.#closing.abort(new ServerError('ERR_SERVER_STOPPING', 'the agent is stopping'));
    for (const [name, kept] of this.#kept) this.#drop(name, kept);
  }

  /** The first connection of the caller to the node that has room for a call: what is too much for one would wait without a word. */
  #nameFor({ caller, node }: Way): string {
    for (let part = 0; ; part += 1) {
      const name = `${caller} ${node} ${part}`;
      if ((this.#kept.get(name)?.calls ?? 0) < maxCalls) return name;
    }
  }

  /** One that was replaced has no next call. */
  #idleMs(name: string, kept: Kept): number {
    return this.#kept.get(name) === kept ? idleMs : 0;
  }

  /** Takes no more calls; those that go on are waited for. */
  #drop(name: string, kept: Kept | undefined): void {
    if (kept === undefined) return;
    clearTimeout(kept.idle);
    if (this.#kept.get(name) === kept) this.#kept.delete(name);
    kept.session.then(
      (session) => (this.#closing.signal.aborted ? session.destroy() : session.close()),
      () => {}, // told to who waited for it
    );
  }

  /** Forgets a connection as soon as it takes no more calls, and one whose node is gone without a word. */
  async #follow(name: string, kept: Kept): Promise<void> {
    const forget = (): void => {
      if (this.#kept.get(name) === kept) this.#kept.delete(name);
    };
    const session = await kept.session.catch(() => undefined); // told to who waits for it
    if (session === undefined || session.closed || session.destroyed) return forget();
    askAgain(session);
    session.once('goaway', forget).once('close', forget);
  }

  async #open({ node, caller }: Way, { context }: ProxyContext): Promise<ClientHttp2Session> {
    const { addresses, port } = this.#parts;
    const late = AbortSignal.timeout(openMs);
    const signal = AbortSignal.any([late, this.#closing.signal]);
    try {
      const address = await addresses.get(node, caller, signal);
      return await openNodeSession({ name: node, address, port, context, signal });
    } catch (cause) {
      this.#closing.signal.throwIfAborted();
      if (late.aborted) throw unreached(`nothing there answers within ${openMs / 1000} s`, cause);
      if (!(cause instanceof ForwardError)) throw cause;
      if (cause.code === 'ERR_FORWARD_UNREACHABLE') throw unreached(cause.message, cause);
      throw new ServerError('ERR_SERVER_NODE_UNTRUSTED', `${from()}: ${cause.message}`, { cause });
    }
  }
}

/** Ends a connection when its node has not answered since it was asked last. */
function askAgain(session: ClientHttp2Session): void {
  let isAsked = false;
  const asking = setInterval(() => {
    if (isAsked) session.destroy();
    else isAsked = session.ping(() => (isAsked = false));
  }, pingMs).unref();
  session.once('close', () => clearInterval(asking));
}

function unreached(why: string, cause: unknown): ServerError {
  return new ServerError('ERR_SERVER_NODE', `${from()}: ${why}`, { cause });
}

/** The caller has to know from where the node can't be reached: from the caller's own place it may be. */
function from(): string {
  return `not reached from ${hostname()}`;
}
