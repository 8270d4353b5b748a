import type { PressureReadingInit } from '@nodecore/api/cgroup';
import type { PressureResource } from '@nodecore/cgroup';

import type { PressureCells } from './pressure-cells.ts';
import { recentShare, wireReading } from './pressure-reading.ts';

/** The pressure of cgroups beside what it was before. */
export class PressureRanking {
  readonly #now: PressureCells;
  readonly #before: PressureCells | undefined;

  constructor(now: PressureCells, before: PressureCells | undefined) {
    this.#now = now;
    this.#before = before;
  }

  /**
   * Rows of those without children, where the processes are, that stall most: by the share of the time since the reading
   * before, in the first one by that of the last 10 s; among equals by all stall there ever was.
   */
  worst(count: number, resources: readonly PressureResource[]): readonly number[] {
    const rows = Array.from({ length: this.#now.length }, (_, row) => row);
    const inner = new Set(rows.map((row) => parentOf(this.#now.path(row))));
    // What stalls below stalls its parents as much, the root above all: they would fill the table.
    const leaves = rows.filter((row) => !inner.has(this.#now.path(row)) && this.#now.path(row) !== '/');
    const ranked = leaves.map((row) => ({
      row,
      share: Math.max(...resources.map((resource) => this.#share(row, resource))),
      totalUs: resources.reduce((sum, resource) => sum + Number(this.#line(row, resource)?.totalUs ?? 0n), 0),
    }));
    ranked.sort((a, b) => b.share - a.share || b.totalUs - a.totalUs || a.row - b.row);
    return ranked.slice(0, count).map(({ row }) => row);
  }

  reading(row: number): PressureReadingInit {
    const earlier = this.#earlier(row);
    return wireReading(
      this.#now.pressure(row),
      earlier && { pressure: earlier.cells.pressure(earlier.row), elapsedNs: earlier.elapsedNs },
    );
  }

  #share(row: number, resource: PressureResource): number {
    const line = this.#line(row, resource);
    const earlier = this.#earlier(row);
    const before = earlier?.cells.line(earlier.row, resource, kindOf(resource));
    return recentShare(line?.totalUs, before?.totalUs, earlier?.elapsedNs) ?? line?.avg10 ?? 0;
  }

  #line(row: number, resource: PressureResource): ReturnType<PressureCells['line']> {
    return this.#now.line(row, resource, kindOf(resource));
  }

  #earlier(
    row: number,
  ): { readonly cells: PressureCells; readonly row: number; readonly elapsedNs: bigint } | undefined {
    const cells = this.#before;
    const then = cells && this.#now.rowIn(cells, row);
    if (cells === undefined || then === undefined) return undefined;
    return { cells, row: then, elapsedNs: this.#now.takenNs(row) - cells.takenNs(then) };
  }
}

/** Interrupts stall every running task: there is no `some`. */
function kindOf(resource: PressureResource): 'some' | 'full' {
  return resource === 'irq' ? 'full' : 'some';
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
