import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { type Inventory, wipe } from '@nodecore/block';
import { metaTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { findSystemDisk } from '@nodecore/volumes';

import { kernelArguments } from '../image/kernel-arguments.ts';
import type { Log } from '../log.ts';
import type { Ending } from '../ending.ts';
import type { Meta } from '../persistence/meta.ts';
import { beginReset, performReset } from '../persistence/pending-reset.ts';
import { machineDisks, type ResetEffects } from '../persistence/perform-reset.ts';
import { decodeReset } from '../persistence/reset-record.ts';
import { planReset } from '../resets/plan.ts';

/** What the kernel's command line wants of a machine that has a system disk, before STATE is looked at. */
export type BootOrders = {
  readonly haltIfInstalled: boolean;
  /** Labels of the system's partitions; `all`: the whole disk. */
  readonly wipe: 'none' | 'all' | readonly string[];
};

/**
 * Reads `os.halt_if_installed=1` and `os.experimental.wipe=system[:LABEL,…]`.
 *
 * @throws {TypeError} for another value: what is wiped is never guessed.
 */
export function bootOrders(line: string): BootOrders {
  const given = kernelArguments(line);
  const halt = given.get(kernelArgument.haltIfInstalled);
  if (halt !== undefined && halt !== '0' && halt !== '1')
    throw new TypeError(`os.halt_if_installed is 0 or 1, not ${JSON.stringify(halt)}`);
  return { haltIfInstalled: halt === '1', wipe: wipeOf(given.get(kernelArgument.experimentalWipe)) };
}

function wipeOf(value: string | undefined): BootOrders['wipe'] {
  if (value === undefined) return 'none';
  if (value === 'system') return 'all';
  const labels = /^system:(?<labels>[A-Z]+(?:,[A-Z]+)*)$/u.exec(value)?.groups?.['labels'];
  if (labels !== undefined) return labels.split(',');
  throw new TypeError(`os.experimental.wipe is system or system:LABEL,…, not ${JSON.stringify(value)}`);
}

export type BootOrderParts = {
  readonly log: Log;
  readonly line: () => Promise<string>;
  /** The partition that the boot loader was started from, in lower case. */
  readonly bootedFrom: () => Promise<string | undefined>;
  /** Whether this boot itself makes the system disk. */
  readonly hasInstalled: () => boolean;
  readonly end: (ending: Ending) => void;
  readonly effects?: ResetEffects;
  /** DESTROYS what is on a disk. */
  readonly wipeDisk?: (path: string, sequence: bigint | undefined) => Promise<void>;
};

/**
 * Does what the command line wants. A mistake in it, and what stands against it, is in the log; the node begins all the same, and
 * nothing was wiped.
 *
 * @returns why STATE is not looked at: the machine ends. Undefined: the node goes on.
 */
export async function obeyBootOrders(
  parts: BootOrderParts,
  meta: Meta,
  inventory: Inventory,
): Promise<string | undefined> {
  const { log, line, hasInstalled } = parts;
  if (hasInstalled()) return undefined; // the orders are for what was there when the machine was started
  try {
    const orders = bootOrders(await line());
    if (!orders.haltIfInstalled && orders.wipe === 'none') return undefined;
    return await obey(parts, orders, meta, inventory);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.error({ code: codeOf(error) }, `what the kernel's command line wants is not done: ${message}`);
    return undefined;
  }
}

async function obey(
  parts: BootOrderParts,
  { haltIfInstalled, wipe: wanted }: BootOrders,
  meta: Meta,
  inventory: Inventory,
): Promise<string | undefined> {
  const { log, bootedFrom, end, effects = machineDisks, wipeDisk = wipeWhole } = parts;
  const id = findSystemDisk(inventory);
  const disk = inventory.disks.find((each) => each.id === id);
  if (disk === undefined) return undefined;
  const from = await bootedFrom();
  const isOwn =
    from !== undefined &&
    inventory.volumes.some(
      ({ parent, partitionUuid }) => parent === disk.id && partitionUuid.toLowerCase() === from,
    );
  // An installed system has the command line of the medium that it was installed from.
  if (haltIfInstalled && !isOwn) {
    log.warn({ disk: disk.devPath }, 'os.halt_if_installed: the machine stays as it is');
    end('halt');
    return `a system is installed on ${disk.devPath}, and this medium is not to start beside it`;
  }
  if (wanted === 'none') return undefined;
  if (wanted === 'all') {
    if (isOwn)
      throw new TypeError(`this system was started from ${disk.devPath}, which is not wiped as a whole`);
    log.warn({ disk: disk.devPath }, 'os.experimental.wipe: the system disk is wiped');
    await wipeDisk(disk.devPath, disk.sequence);
    end('reboot');
    return `${disk.devPath} is wiped: the machine begins anew`;
  }
  const pending = decodeReset(meta.get(metaTag.reset));
  if (pending?.stage === 'wipe') {
    // META has room for one reset, and of that one some may be wiped: it goes on next. A later boot has this order again.
    log.warn({ labels: wanted }, 'os.experimental.wipe: not at this boot, which goes on with a reset');
    return undefined;
  }
  const order = { mode: 'system-disk', labels: wanted, userDisks: [] } as const;
  const plan = planReset(order, { inventory, statuses: [] });
  // What an earlier reset has wiped STATE still has to forget; when it can't be opened, this order may be what helps.
  const record = {
    ...plan.record,
    forget: [...new Set([...(pending?.forget ?? []), ...plan.record.forget])],
  };
  log.warn({ labels: wanted }, 'os.experimental.wipe: partitions of the system are wiped');
  await beginReset(meta, record, inventory, effects);
  await performReset(meta, inventory, () => {}, effects);
  return undefined;
}

const wipeWhole = (path: string, sequence: bigint | undefined): Promise<void> =>
  wipe.content(path, { method: 'fast', sequence });
