import { join } from 'node:path';

import type {
  CgroupsResponseInit,
  PressureRequest,
  PressureResponseInit,
  ReadCgroupsRequest,
  WatchCgroupsRequest,
} from '@nodecore/api/cgroup';
import { CgroupReader, type Hierarchy } from '@nodecore/cgroup';
import { type Clock, systemClock } from '@nodecore/waiting';

import { CgroupsError } from './errors.ts';
import { every } from './every.ts';
import { type Places, thisNode } from './places.ts';
import { intervalOf, type Plan, planOf } from './plan.ts';
import { PressureTable } from './pressure-table.ts';
import { Samples } from './samples.ts';

/** Each keeps descriptors open and two samples in memory. */
const maxWatches = 16;
/** Max of the wait for the first rates, also with a longer interval. */
const firstMs = 1000;

export type CgroupsParts = { readonly clock?: Clock; readonly places?: Places };

/** Reads this node's cgroups for callers: what they asked for, and nothing of the rest leaves the node. */
export class Cgroups {
  readonly #clock: Clock;
  readonly #places: Places;
  #watches = 0;

  constructor({ clock = systemClock, places = thisNode }: CgroupsParts = {}) {
    this.#clock = clock;
    this.#places = places;
  }

  /**
   * One sample. Opens what it reads, and keeps nothing open.
   *
   * @throws {CgroupError} `ERR_CGROUP_VERSION`, `ERR_CGROUP_NOT_FOUND`
   * @throws {CgroupsError} `ERR_CGROUPS_REQUEST`
   */
  async *read(
    request: ReadCgroupsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<CgroupsResponseInit, void, undefined> {
    const plan = planOf(request);
    const hierarchy = await this.#places.hierarchy();
    using reader = await this.#open(hierarchy, plan, 0);
    const { files } = plan;
    const tree = await reader.read({ files, signal });
    yield { start: startOf(hierarchy, plan) };
    yield* new Samples(plan, this.#places, signal).messages(tree);
  }

  /**
   * A sample per interval, no faster than they are taken off; ends with the signal.
   *
   * @throws {CgroupError} as `read`, also later, when the cgroup goes
   * @throws {CgroupsError} `ERR_CGROUPS_BUSY`, `ERR_CGROUPS_REQUEST`
   */
  async *watch(
    request: WatchCgroupsRequest,
    signal: AbortSignal,
  ): AsyncGenerator<CgroupsResponseInit, void, undefined> {
    const plan = planOf(request.what ?? { files: [], cgroup: '', names: false, processes: false });
    const intervalMs = intervalOf(request.intervalMillis);
    using _place = this.#takePlace();
    const hierarchy = await this.#places.hierarchy();
    using reader = await this.#open(hierarchy, plan);
    const samples = new Samples(plan, this.#places, signal);
    const { files } = plan;
    let isFirst = true;
    for await (const _tick of every({ intervalMs, firstMs, clock: this.#clock, signal })) {
      const tree = await reader.read({ files, signal });
      if (isFirst) yield { start: { ...startOf(hierarchy, plan), intervalMillis: intervalMs } };
      isFirst = false;
      yield* samples.messages(tree);
    }
  }

  /**
   * Who stalls, once or per interval.
   *
   * @throws {CgroupError} as `read`, and `ERR_CGROUP_PRESSURE_OFF`
   * @throws {CgroupsError} `ERR_CGROUPS_BUSY`, `ERR_CGROUPS_REQUEST`
   */
  async *pressure(
    request: PressureRequest,
    signal: AbortSignal,
  ): AsyncGenerator<PressureResponseInit, void, undefined> {
    const isOnce = request.intervalMillis === 0;
    const intervalMs = intervalOf(request.intervalMillis);
    using _place = this.#takePlace();
    // The node as a whole has pressure with cgroup v1, too.
    using reader =
      request.top === 0
        ? undefined
        : await this.#open(await this.#places.hierarchy(), { cgroup: '/' }, isOnce ? 0 : undefined);
    const table = new PressureTable(request, this.#places);
    for await (const _tick of every({ intervalMs, firstMs, clock: this.#clock, signal })) {
      yield await table.response(reader, signal);
      if (isOnce) return;
    }
  }

  async #open(
    { directory }: Hierarchy,
    { cgroup }: Pick<Plan, 'cgroup'>,
    maxHeld?: number,
  ): Promise<CgroupReader> {
    const { foreign } = this.#places;
    return await CgroupReader.open(join(directory, cgroup), {
      foreign,
      ...(maxHeld !== undefined && { maxHeld }),
    });
  }

  #takePlace(): Disposable {
    if (this.#watches >= maxWatches)
      throw new CgroupsError('ERR_CGROUPS_BUSY', `${maxWatches} watches of cgroups are running`);
    this.#watches += 1;
    return {
      [Symbol.dispose]: () => {
        this.#watches -= 1;
      },
    };
  }
}

function startOf({ directory, elsewhere }: Hierarchy, { files }: Plan): CgroupsResponseInit['start'] {
  return { directory, files, elsewhere };
}
