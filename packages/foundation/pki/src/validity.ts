/** How long a certificate is valid, and from when. */
export type Lifetime = {
  readonly lifetimeMs?: number;
  /** Milliseconds since the epoch; now by default. Injected by tests. */
  readonly nowMs?: number;
};

/** A certificate begins a little earlier, because the clocks of a node and its operator differ. */
const clockSkewMs = 3_600_000;

export function validity(lifetime: Lifetime, defaultMs: number): { notBefore: Date; notAfter: Date } {
  const now = lifetime.nowMs ?? Date.now();
  return {
    notBefore: new Date(now - clockSkewMs),
    notAfter: new Date(now + (lifetime.lifetimeMs ?? defaultMs)),
  };
}
