/** What every handle of the addon has: a descriptor to wait on, and an end. */
export type AddonHandle = {
  /** True when there is something to receive, false when the handle was closed first. One waiter at a time. */
  wait(): Promise<boolean>;
  /** Whether a wait keeps the process alive; it does unless told otherwise. */
  keepAlive(value: boolean): void;
  close(): void;
};
