/** Who asks: by the key of the certificate, and by the address that the request came from. */
export type Claimant = { readonly key: string; readonly address: string };

type Claim = Claimant & { readonly untilMs: number };

/** What a thousand nodes with many names have; a claim is forgotten with its certificate. */
const most = 65_536;

/**
 * Which node has which names, as far as certificates say that are still valid. A name is that of the first who asks for it. An
 * address that a request comes from is its sender's, whoever had it before; and a node that has made a new key is known by the
 * address that it asked from last.
 */
export class Claims {
  readonly #claims = new Map<string, Claim>();

  /** @returns whose a name is instead, as an address; undefined when it may be the claimant's. */
  holder(name: string, { key, address }: Claimant, nowMs: number): string | undefined {
    const claim = this.#claims.get(name);
    if (claim === undefined || claim.untilMs <= nowMs) return undefined;
    if (name === address || claim.key === key || claim.address === address) return undefined;
    return claim.address;
  }

  /** Whether there is room for these. */
  hasRoom(names: readonly string[], nowMs: number): boolean {
    const added = names.filter((name) => !this.#claims.has(name)).length;
    if (this.#claims.size + added <= most) return true;
    for (const [name, { untilMs }] of this.#claims) if (untilMs <= nowMs) this.#claims.delete(name);
    return this.#claims.size + added <= most;
  }

  /** From now on these are the claimant's, until its certificate ends. */
  take(names: readonly string[], claimant: Claimant, untilMs: number): void {
    for (const name of names) this.#claims.set(name, { ...claimant, untilMs });
  }
}
