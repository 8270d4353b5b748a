import type { CgroupColumn, CgroupScan } from '@nodecore/native';

/**
 * Where a number stands in a control file: `{ file: 'cpu.stat', line: 'usage_usec' }`,
 * `{ file: 'memory.pressure', line: 'some', part: 'total' }`, `{ file: 'cpu.max', part: '1' }` (a word of the first
 * line), `{ file: 'cgroup.procs', line: '#' }` (how many lines).
 */
export type Column = CgroupColumn;

/** What a cell holds. */
export type CellState = 'absent' | 'value' | 'max';

/** One number of every cgroup. */
export type CellColumn = {
  readonly column: Column;
  /** 0 where there is no value. Numbers with a point are in hundredths, negative ones in two's complement. */
  readonly values: BigUint64Array;
  /** 0 absent, 1 value, 2 max. */
  readonly states: Uint8Array;
};

/**
 * Numbers of every cgroup of a scan, column by column. 64 bits wide, because counters are; a value that is absent or
 * `max` is told by its state, so that no number has to stand for it.
 */
export type Cells = {
  /** By row; as in `CgroupNode.id`. */
  readonly ids: Uint32Array;
  /** By row: CLOCK_MONOTONIC in ns before the cgroup was read. */
  readonly takenNs: BigUint64Array;
  readonly columns: readonly CellColumn[];
  /** The path below the root of a row's cgroup. */
  readonly path: (row: number) => string;
};

const states: readonly CellState[] = ['absent', 'value', 'max'];

/** A row outside of the scan is `absent`, like a file or line that the cgroup does not have. */
export function cellState(column: CellColumn, row: number): CellState {
  return states[column.states[row] ?? 0] ?? 'absent';
}

/** @internal */
export function toCells(scan: CgroupScan, columns: readonly Column[], pathOf: (id: number) => string): Cells {
  // Now: the reader forgets paths of cgroups that are gone.
  const paths = Array.from(scan.order, pathOf);
  return {
    ids: scan.order,
    takenNs: scan.stamps,
    columns: columns.map((column, index) => ({
      column,
      values: scan.values[index] ?? new BigUint64Array(),
      states: scan.states[index] ?? new Uint8Array(),
    })),
    path: (row) => paths[row] ?? '',
  };
}
