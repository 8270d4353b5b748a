import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PacketOwner } from '@nodecore/capture/formats';
import type { Clock } from '@nodecore/waiting';

import type { FindResolver } from '../../cgroups/names.ts';
import { processName } from '../../cgroups/process-names.ts';
import { KnownEnds } from './known-ends.ts';
import { reversed } from './packet-ends.ts';
import { ifThere, processesOf, processIds, socketTables } from './processes.ts';
import { type Ends, keyOf, type SocketTable } from './socket-table.ts';

export type OwnersParts = {
  /** `/proc`. */
  readonly directory: string;
  readonly resolver: FindResolver;
  readonly clock: Clock;
};

/** Packets of connections that are known cost nothing more. */
const maxKnown = 65_536;
/**
 * How long to wait between two looks at all sockets: longer, the more often one was in vain, as it is where packets of others
 * are forwarded.
 */
const soonestMs = 100;
const latestMs = 6_400;

/** Whose sockets packets come from or go to, on this node. */
export class Owners {
  readonly #parts: OwnersParts;
  /** Where packets come from and go to. */
  readonly ends: KnownEnds = new KnownEnds(maxKnown);
  readonly #keys = new WeakMap<Ends, string>();
  readonly #known = new Map<string, PacketOwner>();
  readonly #byInode = new Map<string, PacketOwner | undefined>();
  #tables: readonly SocketTable[] = [];
  #waitMs = soonestMs;
  #lookedMs = -Infinity;

  constructor(parts: OwnersParts) {
    this.#parts = parts;
  }

  /** Whose packet it is, of what was found so far. On loopback, where both ends are here: the sender's. */
  of(ends: Ends): PacketOwner | undefined {
    return this.#known.get(this.#keyOf(ends));
  }

  /** Looks for the owners of packets that have none yet, unless that was in vain a moment ago. */
  async find(packets: readonly Ends[]): Promise<void> {
    const unknown = packets.filter((ends) => !this.#known.has(this.#keyOf(ends)));
    const { clock } = this.#parts;
    const sinceMs = clock.now() - this.#lookedMs; // below 0: the clock was set back
    if (unknown.length === 0 || (sinceMs >= 0 && sinceMs < this.#waitMs)) return;
    const { directory } = this.#parts;
    const pids = await processIds(directory);
    this.#tables = await socketTables(directory, pids);
    const inodes = new Map(unknown.map((ends) => [keyOf(ends), { ends, inode: this.#inodeOf(ends) }]));
    await this.#learn(new Set([...inodes.values()].flatMap(({ inode }) => inode ?? [])), pids);
    let found = 0;
    for (const [key, { inode }] of inodes) {
      const owner = inode === undefined ? undefined : this.#byInode.get(inode);
      if (owner === undefined) continue;
      this.#known.set(key, owner);
      found += 1;
    }
    forget(this.#known);
    forget(this.#byInode);
    this.#waitMs = found > 0 ? soonestMs : Math.min(latestMs, this.#waitMs * 2);
    this.#lookedMs = clock.now();
  }

  /** Of a connection that {@link ends} knows it is made once. */
  #keyOf(ends: Ends): string {
    const known = this.#keys.get(ends);
    if (known !== undefined) return known;
    const key = keyOf(ends);
    this.#keys.set(ends, key);
    return key;
  }

  /** The sender's socket, else the receiver's, else one that takes packets of any sender. */
  #inodeOf(ends: Ends): string | undefined {
    const both = [ends, reversed(ends)];
    const candidates = [
      ...both,
      ...both.map((one) => ({ ...one, remote: '*', remotePort: 0 })),
      ...both.map((one) => ({ ...one, local: '*', remote: '*', remotePort: 0 })),
    ];
    for (const key of candidates.map(keyOf)) {
      for (const table of this.#tables) {
        const inode = table.get(key);
        if (inode !== undefined) return inode;
      }
    }
    return undefined;
  }

  async #learn(inodes: ReadonlySet<string>, pids: readonly string[]): Promise<void> {
    const unknown = new Set([...inodes].filter((inode) => !this.#byInode.has(inode)));
    if (unknown.size === 0) return;
    const { directory, resolver } = this.#parts;
    const [processes, names] = await Promise.all([processesOf(unknown, directory, pids), resolver()]);
    for (const [inode, pid] of processes) {
      const text = await ifThere(readFile(join(directory, pid, 'cgroup'), 'utf8'));
      const cgroup = /^0::(.*)$/m.exec(text ?? '')?.[1] ?? '/';
      const name = names.resolve(cgroup);
      const isContainer = name?.kind === 'container' || name?.kind === 'pod';
      this.#byInode.set(inode, {
        pid: Number(pid),
        process: (await processName(join(directory, pid))) ?? '?',
        cgroup,
        ...(isContainer && { container: name.name }),
      });
    }
  }
}

/** The oldest go: a map keeps the order in which they came. */
function forget(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= maxKnown) return;
    map.delete(key);
  }
}
