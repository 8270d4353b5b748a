/** One look at the scene. */
export type Sample = {
  /** Since the first look. */
  readonly ms: number;
  /** Bytes of memory.current. */
  readonly hog: number;
  readonly bystander: number;
  /** Microseconds in which some task of the jobs waited for memory, since the beginning. */
  readonly stallUs: number;
  readonly frozen: boolean;
};

/** What happened, and when. */
export type Moment = { readonly ms: number; readonly what: string };

/** A run as it was recorded. */
export type Recording = {
  readonly machine: string;
  readonly date: string;
  readonly document: string;
  /** What all jobs together may have, in bytes. */
  readonly limit: number;
  readonly samples: readonly Sample[];
  readonly moments: readonly Moment[];
};
