import { setImmediate as others } from 'node:timers/promises';

import type { CgroupFileInit, CgroupInit, CgroupsResponseInit } from '@nodecore/api/cgroup';
import type { CgroupNode, CgroupTree } from '@nodecore/cgroup';

import { changedFile } from './changed-file.ts';
import { DeviceNames } from './device-names.ts';
import { type FindResolver, localResolver, wireName } from './names.ts';
import type { Places } from './places.ts';
import { type Plan, processList } from './plan.ts';
import { processNames } from './process-names.ts';

/** What one message holds: few messages, and none that holds up other work of the node. */
const pieceCharacters = 1 << 16;
const pieceCgroups = 256;

type Reading = { readonly takenNs: bigint; readonly node: CgroupNode };

/** Turns trees into messages: all of the first one, and of each later one what has changed since. */
export class Samples {
  readonly #plan: Plan;
  readonly #places: Places;
  readonly #signal: AbortSignal;
  readonly #resolver: FindResolver;
  readonly #devices: DeviceNames;
  #earlier: ReadonlyMap<number, Reading> = new Map();

  constructor(plan: Plan, places: Places, signal: AbortSignal) {
    this.#plan = plan;
    this.#places = places;
    this.#signal = signal;
    this.#resolver = localResolver(places);
    this.#devices = new DeviceNames(places.blockDevices);
  }

  /** @param tree of the same reader every time. */
  async *messages(tree: CgroupTree): AsyncGenerator<CgroupsResponseInit, void, undefined> {
    const now = new Map<number, Reading>();
    const resolver = this.#plan.names && tree.appeared.length > 0 ? await this.#resolver() : undefined;
    let cgroups: CgroupInit[] = [];
    let characters = 0;
    for (const node of tree.nodes) {
      const reading = { takenNs: this.#places.readAtNs(node), node };
      now.set(node.id, reading);
      const earlier = this.#earlier.get(node.id);
      const elapsedNs = earlier === undefined ? 0n : reading.takenNs - earlier.takenNs;
      const changed = this.#changed(node, earlier?.node, elapsedNs);
      if (earlier !== undefined && changed.length === 0) continue;
      const message = await this.#message(reading, elapsedNs, changed);
      const name = wireName(this.#earlier.has(node.id) ? undefined : resolver?.resolve(message.path));
      cgroups.push(name === undefined ? message : { ...message, name });
      characters += message.files.reduce((sum, { text = '' }) => sum + text.length, 0);
      if (characters < pieceCharacters && cgroups.length < pieceCgroups) continue;
      yield { cgroups: { cgroups } };
      await others();
      [cgroups, characters] = [[], 0];
    }
    if (cgroups.length > 0) yield { cgroups: { cgroups } };
    const gone = [...this.#earlier.keys()].filter((id) => !now.has(id));
    this.#earlier = now;
    yield { sample: { cgroups: now.size, gone, devices: [...(await this.#devices.news())] } };
  }

  #changed(node: CgroupNode, earlier: CgroupNode | undefined, elapsedNs: bigint): CgroupFileInit[] {
    const changed: CgroupFileInit[] = [];
    if (earlier !== undefined && node.isUnchanged(earlier)) return changed;
    for (const [index, file] of this.#plan.files.entries()) {
      const found = changedFile({ file, index, elapsedNs }, earlier, node);
      if (found !== undefined) changed.push(found);
    }
    return changed;
  }

  async #message(
    { node, takenNs }: Reading,
    elapsedNs: bigint,
    changed: CgroupFileInit[],
  ): Promise<CgroupInit & { readonly path: string; readonly files: CgroupFileInit[] }> {
    for (const { file = 0, text = '' } of changed) this.#devices.see(this.#plan.files[file] ?? '', text);
    const list = this.#plan.processes ? changed.find((each) => this.#isProcessList(each)) : undefined;
    return {
      id: node.id,
      path: under(this.#plan.cgroup, node.path),
      takenNanos: takenNs,
      elapsedNanos: elapsedNs,
      files: changed,
      ...(list?.text !== undefined && {
        processes: [...(await processNames(list.text, this.#places.processes, this.#signal))],
      }),
    };
  }

  #isProcessList({ file = 0 }: CgroupFileInit): boolean {
    return this.#plan.files[file] === processList;
  }
}

/** The path of a node below `cgroup`, from the root of the hierarchy. */
export function under(cgroup: string, path: string): string {
  if (cgroup === '/') return path;
  return path === '/' ? cgroup : `${cgroup}${path}`;
}
