import {
  type CgroupPressureInit,
  type PressureReadingInit,
  type PressureRequest,
  type PressureResponseInit,
  PressureSort,
} from '@nodecore/api/cgroup';
import type { CgroupReader, Pressure, PressureResource } from '@nodecore/cgroup';

import { CgroupsError } from './errors.ts';
import { type FindResolver, localResolver, wireName } from './names.ts';
import type { Places } from './places.ts';
import { PressureCells } from './pressure-cells.ts';
import { PressureRanking } from './pressure-ranking.ts';
import { wireReading } from './pressure-reading.ts';

/** More than a reader looks at, and less than a message holds. */
const maxRows = 1000;

const sorts: Readonly<Record<number, readonly PressureResource[]>> = {
  [PressureSort.UNSPECIFIED]: ['cpu', 'memory', 'io', 'irq'],
  [PressureSort.CPU]: ['cpu'],
  [PressureSort.MEMORY]: ['memory'],
  [PressureSort.IO]: ['io'],
  [PressureSort.IRQ]: ['irq'],
};

type System = { readonly atNs: bigint; readonly pressure: Pressure };

/** The node's pressure, and the cgroups that stall most, each response beside the one before. */
export class PressureTable {
  readonly #top: number;
  readonly #names: boolean;
  readonly #resources: readonly PressureResource[];
  readonly #resolver: FindResolver;
  readonly #places: Places;
  #system: System | undefined;
  #cells: PressureCells | undefined;

  /** @throws {CgroupsError} `ERR_CGROUPS_REQUEST` */
  constructor({ top, sort, names }: PressureRequest, places: Places) {
    const resources = sorts[sort];
    if (resources === undefined)
      throw new CgroupsError('ERR_CGROUPS_REQUEST', `order ${String(sort)} is not known`);
    this.#top = Math.min(top, maxRows);
    this.#names = names;
    this.#resources = resources;
    this.#resolver = localResolver(places);
    this.#places = places;
  }

  /** @param reader of the whole hierarchy; without one, the system alone. */
  async response(reader: CgroupReader | undefined, signal: AbortSignal): Promise<PressureResponseInit> {
    const system = await this.#nextSystem(signal);
    if (reader === undefined) return { system };
    const cells = await PressureCells.read(reader, signal);
    const ranking = new PressureRanking(cells, this.#cells);
    this.#cells = cells;
    const resolver = this.#names ? await this.#resolver() : undefined;
    const cgroups = ranking.worst(this.#top, this.#resources).map((row): CgroupPressureInit => {
      const path = cells.path(row);
      const name = wireName(resolver?.resolve(path));
      return { path, pressure: ranking.reading(row), ...(name !== undefined && { name }) };
    });
    return { system, cgroups, total: cells.length };
  }

  async #nextSystem(signal: AbortSignal): Promise<PressureReadingInit> {
    const before = this.#system;
    const pressure = await this.#places.pressure({ signal });
    this.#system = { atNs: process.hrtime.bigint(), pressure };
    return wireReading(
      pressure,
      before && { pressure: before.pressure, elapsedNs: this.#system.atNs - before.atNs },
    );
  }
}
