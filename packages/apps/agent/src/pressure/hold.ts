import type { Limited } from '@nodecore/cgroup';
import type { PressureRelease } from '@nodecore/config';

/** Something that was done to a cgroup and is to be undone. */
export type Hold = {
  /** Id of the decision that it came from. */
  readonly decision: string;
  readonly policy: string;
  /** Below the root of the hierarchy. */
  readonly path: string;
  /** Decimal; another cgroup by the same path has another one. */
  readonly inode: string;
  /** Cgroups, and all that was done to them, end with it. */
  readonly bootId: string;
  readonly release: PressureRelease;
} & ({ readonly kind: 'freeze' } | { readonly kind: 'memory.high'; readonly limited: Limited });

/** JSON for a file in the run directory; {@link decodeHolds} reads it after a restart of the agent. */
export function encodeHolds(holds: readonly Hold[]): string {
  return `${JSON.stringify(holds, undefined, 2)}\n`;
}

/** @throws {SyntaxError} when the text is none. What is no record is left out. */
export function decodeHolds(text: string): readonly Hold[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((each) => isHold(each)) : [];
}

function isHold(value: unknown): value is Hold {
  if (typeof value !== 'object' || value === null) return false;
  const { decision, policy, path, inode, bootId, release, kind, limited } = value as Partial<
    Hold & { limited: Limited }
  >;
  const texts = [decision, policy, path, bootId];
  if (!texts.every((text) => typeof text === 'string') || !/^\d+$/.test(String(inode))) return false;
  if (typeof release?.afterMs !== 'number' || typeof release.atLatestMs !== 'number') return false;
  if (kind === 'freeze') return true;
  return kind === 'memory.high' && typeof limited?.former === 'string' && typeof limited.written === 'string';
}
