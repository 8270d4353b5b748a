/** How far an upgrade or an installation is. */
export type UpgradeEvent = {
  readonly phase: 'pull' | 'verify' | 'space' | 'write' | 'prove' | 'switch';
  readonly message: string;
  readonly doneBytes?: number;
  readonly totalBytes?: number;
  readonly entry?: string;
  readonly version?: string;
  /** Of the upgrade, in the events of the node. */
  readonly actorId?: string;
};

/** Passes on what is a percent or more. */
export function byPercent(
  tell: (doneBytes: number, totalBytes: number) => void,
): (doneBytes: number, totalBytes: number) => void {
  let told = -1;
  return (doneBytes, totalBytes) => {
    const percent = totalBytes === 0 ? 100 : Math.floor((doneBytes * 100) / totalBytes);
    if (percent === told) return;
    told = percent;
    tell(doneBytes, totalBytes);
  };
}
