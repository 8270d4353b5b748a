import { createHash, randomBytes } from 'node:crypto';

import type { State } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { currentCaller } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';

type Signer = { readonly identity: string; readonly keyId: string };
type Kept = Signer & { readonly endsMs: number };

const loginMs = 60_000;
const sessionMs = 8 * 3_600_000;
const maxKept = 1000;

/**
 * Who has the web page open. A login is a secret that works once, within a minute, and becomes a session; a session belongs to the key
 * that asked for the login, and ends with it. Only digests are kept, and only in memory.
 */
export class Sessions {
  readonly #logins = new Map<string, Kept>();
  readonly #sessions = new Map<string, Kept>();
  readonly #state: State;
  readonly #clock: Clock;

  constructor({ state, clock }: { readonly state: State; readonly clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
  }

  /** A secret that opens one session. */
  createLogin({ identity, keyId }: Signer): string {
    return this.#keep(this.#logins, { identity, keyId, endsMs: this.#clock.now() + loginMs });
  }

  /** The secret of a new session; undefined for a login that is not there, was used, or is too old. */
  async open(login: string): Promise<string | undefined> {
    const digest = digestOf(login);
    const found = this.#logins.get(digest);
    this.#logins.delete(digest);
    const now = this.#clock.now();
    if (found === undefined || now >= found.endsMs) return undefined;
    if ((await currentCaller(this.#state, found, now)) === undefined) return undefined;
    return this.#keep(this.#sessions, { ...found, endsMs: now + sessionMs });
  }

  /** Who a session belongs to, with what they may do now; undefined when it has ended, or its key has. */
  async callerOf(session: string): Promise<Caller | undefined> {
    const found = this.#sessions.get(digestOf(session));
    const now = this.#clock.now();
    return found === undefined || now >= found.endsMs
      ? undefined
      : await currentCaller(this.#state, found, now);
  }

  /** Ends a session. */
  close(session: string): void {
    this.#sessions.delete(digestOf(session));
  }

  #keep(into: Map<string, Kept>, kept: Kept): string {
    const now = this.#clock.now();
    for (const [digest, { endsMs }] of into) if (now >= endsMs) into.delete(digest);
    while (into.size >= maxKept) into.delete(into.keys().next().value!); // the oldest
    const secret = randomBytes(32).toString('base64url');
    into.set(digestOf(secret), kept);
    return secret;
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
