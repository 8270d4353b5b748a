/** When this node's member is defragmented, and how it went last. */
export type DefragmentationPlanned = {
  readonly intervalMs: number;
  readonly nextMs: number;
  readonly last?: DefragmentationOutcome;
};

export type DefragmentationOutcome = {
  readonly startedMs: number;
  readonly result: 'done' | 'skipped' | 'failed';
  /** Why it was skipped or failed. */
  readonly message?: string;
  readonly code?: string;
  readonly beforeBytes?: bigint;
  readonly afterBytes?: bigint;
  readonly stallMs?: number;
};
