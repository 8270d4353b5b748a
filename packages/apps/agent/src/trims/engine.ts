import {
  eligibility,
  type Eligibility,
  MountPoint,
  trim,
  TrimError,
  type TrimOptions,
  type TrimReport,
} from '@nodecore/trim';

/** What is on a mount point now. */
export type Finding = {
  readonly verdict: Eligibility;
  readonly sizeBytes: bigint;
  /** Trims what was found, or ends with an error when something else is there by then. */
  trim(options: TrimOptions): Promise<TrimReport>;
};

/** The seam between when to trim and how. */
export type Engine = (target: string) => Promise<Finding>;

/** This machine. */
export const machineEngine: Engine = async (target) => {
  const mounted = await MountPoint.find(target);
  if (mounted === undefined) return nothingMounted(target);
  return {
    verdict: eligibility(mounted.live),
    sizeBytes: mounted.live.stack?.sizeBytes ?? 0n,
    trim: (options) => trim(mounted, options),
  };
};

/** Where there is nothing to trim. */
export function nothingMounted(target: string): Finding {
  const message = 'nothing is mounted there';
  const trim = async (): Promise<never> => {
    throw new TrimError('ERR_TRIM_NOT_MOUNTED', target, message);
  };
  return { verdict: eligibility(undefined), sizeBytes: 0n, trim };
}
