import type { Inventory } from '../inventory.ts';
import { Scanner } from './scanner.ts';

export type ListOptions = {
  readonly signal?: AbortSignal;
  /** How long one call on a disk may take before the disk is published as unresponsive; 5 s by default. */
  readonly deadlineMs?: number;
};

/**
 * Every disk, its partitions, and what is on them.
 *
 * A disk that can't be opened or that hangs is listed with its `error`; it delays no other. Reading content needs root
 * or the right to read the device nodes.
 *
 * @example
 * const { disks } = await list();
 * for (const { devPath, size, model } of disks) console.log(devPath, size, model);
 */
export async function list(options: ListOptions = {}): Promise<Inventory> {
  const { signal, deadlineMs } = options;
  using scanner = new Scanner({ remember: false, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
  return await scanner.scan(signal === undefined ? {} : { signal });
}
