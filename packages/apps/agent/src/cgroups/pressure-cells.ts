import {
  type Cells,
  cellState,
  type CgroupReader,
  type Column,
  type Pressure,
  type PressureLine,
  type PressureResource,
  pressureResources,
} from '@nodecore/cgroup';

const kinds = ['some', 'full'] as const;
const parts = ['avg10', 'avg60', 'avg300', 'total'] as const;
type Kind = (typeof kinds)[number];
type Part = (typeof parts)[number];

const columns: readonly Column[] = pressureResources.flatMap((resource) =>
  kinds.flatMap((kind) => parts.map((part) => ({ file: `${resource}.pressure`, line: kind, part }))),
);

function columnOf(resource: PressureResource, kind: Kind, part: Part): number {
  const line = pressureResources.indexOf(resource) * kinds.length + kinds.indexOf(kind);
  return line * parts.length + parts.indexOf(part);
}

/** The pressure of all cgroups as numbers; only those that are asked for become objects. */
export class PressureCells {
  readonly #cells: Cells;
  readonly #rows: ReadonlyMap<number, number>;

  private constructor(cells: Cells) {
    this.#cells = cells;
    this.#rows = new Map(Array.from(cells.ids, (id, row) => [id, row]));
  }

  static async read(reader: CgroupReader, signal: AbortSignal): Promise<PressureCells> {
    return new PressureCells(await reader.readColumns(columns, { signal }));
  }

  /** How many cgroups there are. */
  get length(): number {
    return this.#cells.ids.length;
  }

  path(row: number): string {
    return this.#cells.path(row);
  }

  takenNs(row: number): bigint {
    return this.#cells.takenNs[row] ?? 0n;
  }

  /** The row of the same cgroup in another reading of the same reader. */
  rowIn(other: PressureCells, row: number): number | undefined {
    return other.#rows.get(this.#cells.ids[row] ?? -1);
  }

  pressure(row: number): Pressure {
    const of = (resource: PressureResource): Pressure[PressureResource] => {
      const some = this.line(row, resource, 'some');
      const full = this.line(row, resource, 'full');
      return some === undefined && full === undefined ? undefined : { some, full };
    };
    return { cpu: of('cpu'), memory: of('memory'), io: of('io'), irq: of('irq') };
  }

  line(row: number, resource: PressureResource, kind: Kind): PressureLine | undefined {
    const totalUs = this.#value(row, columnOf(resource, kind, 'total'));
    if (totalUs === undefined) return undefined;
    // Numbers with a point are in hundredths.
    const average = (part: Part): number =>
      Number(this.#value(row, columnOf(resource, kind, part)) ?? 0n) / 100;
    return { avg10: average('avg10'), avg60: average('avg60'), avg300: average('avg300'), totalUs };
  }

  #value(row: number, column: number): bigint | undefined {
    const cells = this.#cells.columns[column];
    return cells !== undefined && cellState(cells, row) === 'value' ? cells.values[row] : undefined;
  }
}
