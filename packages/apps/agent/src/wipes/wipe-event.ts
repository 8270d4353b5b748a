/** How far one device or volume is. */
export type WipeEvent = {
  readonly device: string;
  /** Of a device; a volume is what its id says. */
  readonly identity: string;
  readonly state: 'planned' | 'running' | 'done' | 'failed';
  readonly content: string;
  readonly sizeBytes: bigint;
  readonly doneBytes: bigint;
  /** Volumes that may take the disk as soon as it is blank. */
  readonly takers: readonly string[];
  /** Volumes that lie on a volume, and are closed meanwhile. */
  readonly closes?: readonly string[];
  readonly code?: string;
  readonly message?: string;
};
