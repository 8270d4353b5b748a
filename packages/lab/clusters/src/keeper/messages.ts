import type { PowerState } from '@nodecore/machine';

import type { ChaosChange } from '../chaos.ts';
import type { DiskChange } from './disk-changes.ts';

/** What a keeper is asked by programs of its user, one object in a line. */
export type KeeperCall =
  | { readonly method: 'ping' }
  /** Makes the planned network and machines, and switches them on; nothing is done twice. */
  | { readonly method: 'create'; /** `user:password` of the factory. */ readonly imageAuth?: string }
  /** Takes over the machines that run, and serves their network; none is switched on. */
  | { readonly method: 'keep' }
  /** Switches machines on, all or these by name. */
  | { readonly method: 'start'; readonly nodes?: readonly string[] }
  /** Presses the power buttons of machines, all or these by name; after the grace they are killed. */
  | { readonly method: 'stop'; readonly nodes?: readonly string[]; readonly graceMs?: number }
  | { readonly method: 'reflect' }
  /** Switches machines off and on again, all or these by name. */
  | {
      readonly method: 'reboot';
      readonly nodes?: readonly string[];
      /** This once. */ readonly fromNetwork?: boolean;
    }
  /** All or these have their configurations: they are given none any more. */
  | { readonly method: 'configured'; readonly nodes?: readonly string[] }
  /** Changes the disks of a machine; answers with the disk. */
  | { readonly method: 'disk'; readonly node: string; readonly change: DiskChange }
  /** Changes what happens to frames of machines, all or these by name. */
  | ({ readonly method: 'chaos'; readonly nodes?: readonly string[] } & ChaosChange)
  /** Ends the keeper when no machine is on and nothing else is asked of it; answers whether it does. */
  | { readonly method: 'retire' }
  /** Nobody keeps the cluster any more; its machines go on until they are removed. */
  | { readonly method: 'close' };

/** What it answers: lines on the way, and one last line with a result or an error. */
export type KeeperReply =
  | { readonly status: string }
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** A machine as its keeper sees it. */
export type KeptMachine = {
  readonly name: string;
  readonly state: PowerState | 'crashed';
  /** How often it was switched on. */
  readonly starts: number;
  /** The end of its console, when it crashed. */
  readonly lastLines?: string;
  /** Whether it got an address by DHCP since it was switched on; absent where there is no DHCP. */
  readonly hasAddress?: boolean;
  /** It has fetched its configuration since then. */
  readonly hasFetched?: true;
};
