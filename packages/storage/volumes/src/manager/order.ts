import type { VolumeSpec } from '../spec.ts';

/**
 * In which order volumes take space on a disk that they share: the system's own first, then what can't grow, then
 * the smaller demand, then by id. One that takes all that is left comes last of its kind.
 */
export function bySpace(left: VolumeSpec, right: VolumeSpec): number {
  if (right.after.includes(left.id)) return -1;
  if (left.after.includes(right.id)) return 1;
  if ((left.kind === 'system') !== (right.kind === 'system')) return left.kind === 'system' ? -1 : 1;
  const [a, b] = [demand(left), demand(right)];
  if (a.unbounded !== b.unbounded) return a.unbounded ? 1 : -1;
  if (a.grow !== b.grow) return a.grow ? 1 : -1;
  if (a.bytes !== b.bytes) return a.bytes < b.bytes ? -1 : 1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

type Demand = { readonly unbounded: boolean; readonly grow: boolean; readonly bytes: bigint };

/** A share of what is there, or everything but some, is known only once the others have taken theirs. */
function demand({ partition }: VolumeSpec): Demand {
  if (partition === undefined) return { unbounded: true, grow: true, bytes: 0n };
  const { maxSize, minSize, grow } = partition;
  const unbounded = maxSize === undefined || maxSize.kind === 'percent' || maxSize.negative;
  return { unbounded, grow, bytes: unbounded ? minSize : maxSize.bytes };
}
