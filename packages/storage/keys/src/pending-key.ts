import type { TokenJson } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

import type { PendingKey } from './situation.ts';

/** The key that a keyslot shall get, with what the run knows of it. Disposing it wipes the key. */
export class OwnedPendingKey implements PendingKey, Disposable {
  readonly key: Secret;
  readonly token: TokenJson | undefined;
  readonly opens: Map<number, boolean> = new Map<number, boolean>();
  readonly added: Set<number> = new Set<number>();

  /** Takes the key over. */
  constructor(key: Secret, token: TokenJson | undefined) {
    this.key = key;
    this.token = token;
  }

  [Symbol.dispose](): void {
    this.key[Symbol.dispose]();
  }
}
