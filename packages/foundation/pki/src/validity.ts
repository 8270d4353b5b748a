/** How long a certificate is valid, and from when. */
export type Lifetime = {
  readonly lifetimeMs?: number;
  /** Milliseconds since the epoch; now by default. Injected by tests. */
  readonly nowMs?: number;
};

/** How much earlier than now a certificate begins: the clocks of a node and its operator differ. */
const clockSkewMs = 3_600_000;

/** From an hour before now, because clocks differ, until `lifetimeMs` or `defaultMs` after now. */
export function validity(lifetime: Lifetime, defaultMs: number): { notBefore: Date; notAfter: Date } {
  const now = lifetime.nowMs ?? Date.now();
  return {
    notBefore: new Date(now - clockSkewMs),
    notAfter: new Date(now + (lifetime.lifetimeMs ?? defaultMs)),
  };
}
