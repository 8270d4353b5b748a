export type Target = { readonly host: string; readonly port: number };

/** What a thread of hostile clients is told. */
export type CrowdOrder = {
  readonly target: Target;
  readonly crt: string;
  readonly key: string;
  /** Counts how often each kind has connected; shared. */
  readonly opened: Int32Array;
  readonly kinds: readonly { readonly kind: 'idle' | 'stalled' | 'role-less'; readonly count: number }[];
};
