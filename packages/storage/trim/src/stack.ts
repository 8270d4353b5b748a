import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A block device and what it is stacked on, as the kernel has it now. */
export type BlockStack = {
  /** `nvme0n1p2`, `dm-0`. */
  readonly name: string;
  readonly kind: 'disk' | 'partition' | 'encryption' | 'stacked';
  readonly sizeBytes: bigint;
  /** The most that one discard may cover; 0: the device takes none. Of a mapping: of the mapping as it was opened. */
  readonly discardMaxBytes: bigint;
  /** Empty for what is not stacked on anything. */
  readonly below: readonly BlockStack[];
};

/**
 * Reads the stack of a device from sysfs. The attributes come from memory; nothing here waits for a disk.
 *
 * @param deviceNumber `major:minor`.
 * @returns undefined when there is no such block device.
 */
export function readStack(
  deviceNumber: string,
  options: { readonly sysfs?: string } = {},
): BlockStack | undefined {
  const { sysfs = '/sys' } = options;
  try {
    return readDevice(realpathSync(join(sysfs, 'dev/block', deviceNumber)));
  } catch {
    return undefined;
  }
}

/** The disks that a stack rests on, sorted. */
export function disksOf(stack: BlockStack): readonly string[] {
  const names = stack.below.length === 0 ? [stack.name] : stack.below.flatMap(disksOf);
  return [...new Set(names)].sort();
}

function readDevice(directory: string): BlockStack {
  const name = basename(directory);
  const common = { name, sizeBytes: (number(directory, 'size') ?? 0n) * 512n };
  if (text(directory, 'partition') !== undefined) {
    const disk = readDevice(dirname(directory)); // a partition has the queue of its disk
    return { ...common, kind: 'partition', discardMaxBytes: disk.discardMaxBytes, below: [disk] };
  }
  const below = slaves(directory).map((slave) => readDevice(realpathSync(slave)));
  const discardMaxBytes = number(directory, 'queue/discard_max_bytes') ?? 0n;
  // dm-crypt's mappings have UUIDs such as CRYPT-LUKS2-…, those of LVM begin with LVM-.
  const isEncryption = text(directory, 'dm/uuid')?.startsWith('CRYPT-') === true;
  const kind = isEncryption ? 'encryption' : below.length > 0 ? 'stacked' : 'disk';
  return { ...common, kind, discardMaxBytes, below };
}

function slaves(directory: string): string[] {
  try {
    return readdirSync(join(directory, 'slaves')).map((name) => join(directory, 'slaves', name));
  } catch {
    return [];
  }
}

function number(directory: string, attribute: string): bigint | undefined {
  const value = text(directory, attribute);
  return value !== undefined && /^\d+$/.test(value) ? BigInt(value) : undefined;
}

function text(directory: string, attribute: string): string | undefined {
  try {
    return readFileSync(join(directory, attribute), 'utf8').trim();
  } catch {
    return undefined;
  }
}
