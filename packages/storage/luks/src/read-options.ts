/** Options of what only reads, or changes in one step. The signal ends the wait for a turn. */
export type ReadOptions = { readonly signal?: AbortSignal };
