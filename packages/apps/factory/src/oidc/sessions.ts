import { createHash, randomBytes } from 'node:crypto';

import type { Identity } from './identity.ts';

/** A working day. The issuer often knows its people for longer, and then the next login asks them nothing. */
const sessionMs = 8 * 3_600_000;
const maxSessions = 10_000;

/** Who is logged in by a browser. Only digests are kept, and only in memory. */
export class Sessions {
  /** In the order in which they end. */
  readonly #sessions = new Map<string, { readonly identity: Identity; readonly endsMs: number }>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** @returns the secret of a new session. */
  open(identity: Identity): string {
    const now = this.#now().getTime();
    for (const [oldest, { endsMs }] of this.#sessions)
      if (endsMs <= now || this.#sessions.size >= maxSessions) this.#sessions.delete(oldest);
      else break;
    const secret = randomBytes(32).toString('base64url');
    this.#sessions.set(digestOf(secret), { identity, endsMs: now + sessionMs });
    return secret;
  }

  /** Undefined when there is no such session, or it has ended. */
  of(secret: string): Identity | undefined {
    const found = this.#sessions.get(digestOf(secret));
    return found !== undefined && this.#now().getTime() < found.endsMs ? found.identity : undefined;
  }

  close(secret: string): void {
    this.#sessions.delete(digestOf(secret));
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
