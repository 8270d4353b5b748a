import { type BlockStack, disksOf } from './stack.ts';

/** What is mounted on a volume's mount point, as the kernel has it now. */
export type LiveMount = {
  /** `ext4`, `xfs`, …, as the kernel names it. */
  readonly filesystem: string;
  readonly readOnly: boolean;
  /** The device below; undefined when there is none, as with network filesystems. */
  readonly stack: BlockStack | undefined;
};

export type SkipReason =
  | 'not-mounted'
  | 'read-only'
  | 'filesystem' // of a kind that is not trimmed
  | 'encryption' // opened without allowDiscards
  | 'device'; // takes no discards

export type Eligibility =
  | {
      readonly eligible: true;
      /** What it rests on: one trim at a time for each. */ readonly disks: readonly string[];
    }
  | { readonly eligible: false; readonly reason: SkipReason; readonly message: string };

const filesystems: ReadonlySet<string> = new Set(['btrfs', 'ext4', 'xfs']);

/**
 * Whether a filesystem can be trimmed. Decided by what is there, never by what is configured: a mapping that was opened before
 * `allowDiscards` was configured takes no discards until it is opened again.
 */
export function eligibility(mount: LiveMount | undefined): Eligibility {
  if (mount === undefined) return skip('not-mounted', 'it is not mounted');
  const { filesystem, readOnly, stack } = mount;
  if (!filesystems.has(filesystem)) return skip('filesystem', `${filesystem} is not trimmed`);
  if (stack === undefined) return skip('device', `${filesystem} is not on a block device`);
  if (readOnly) return skip('read-only', 'it is mounted read-only');
  if (stack.discardMaxBytes > 0n) return { eligible: true, disks: disksOf(stack) };
  const closed = closedMapping(stack);
  return closed === undefined
    ? skip('device', `${refuser(stack).name} takes no discards`)
    : skip('encryption', `${closed.name} was opened without allowDiscards`);
}

/** The encryption that keeps discards from a device that would take them. */
function closedMapping(stack: BlockStack): BlockStack | undefined {
  if (stack.kind === 'encryption' && stack.below.some(({ discardMaxBytes }) => discardMaxBytes > 0n))
    return stack;
  for (const below of stack.below) {
    const found = closedMapping(below);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The lowest device that refuses: what is above it refuses because of it. */
function refuser(stack: BlockStack): BlockStack {
  const below = stack.below.find(({ discardMaxBytes }) => discardMaxBytes === 0n);
  return below === undefined ? stack : refuser(below);
}

function skip(reason: SkipReason, message: string): Eligibility {
  return { eligible: false, reason, message };
}
