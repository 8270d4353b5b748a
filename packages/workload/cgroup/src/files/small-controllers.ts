import { type Flat, flat, type Nested, nested, single } from './format.ts';
import type { Limit, ReadText } from './text.ts';

/** `pids.*`; undefined is absent. */
export type PidsFiles = {
  readonly current: number | undefined;
  readonly peak: number | undefined;
  readonly max: Limit | undefined;
  readonly events: Flat | undefined;
};

/** Counts of tasks, threads included. All undefined where the pids controller is not enabled; the root has no `max`. */
export function pidsFiles(text: ReadText): PidsFiles {
  return {
    current: single(text('pids.current')),
    peak: single(text('pids.peak')),
    max: single(text('pids.max')),
    events: flat(text('pids.events')),
  };
}

/** `hugetlb.<size>.*` of one page size; bytes. */
export type HugetlbFiles = {
  readonly current: number | undefined;
  readonly max: Limit | undefined;
  readonly reservedCurrent: number | undefined;
  readonly reservedMax: Limit | undefined;
  readonly events: Flat | undefined;
  /** By node; `total` is all of them. */
  readonly numaStat: Flat | undefined;
};

/** By page size as the kernel writes it: `2MB`, `1GB`. Empty without the controller. */
export function hugetlbFiles(text: ReadText, files: readonly string[]): ReadonlyMap<string, HugetlbFiles> {
  const sizes = new Set(files.flatMap((file) => /^hugetlb\.(\d+[KMGT]B)\./.exec(file)?.[1] ?? []));
  return new Map(
    [...sizes].map((size) => {
      const of = (name: string): string | undefined => text(`hugetlb.${size}.${name}`);
      // One line without a name at its beginning: `total=0 N0=0`.
      const pairs = nested(of('numa_stat') === undefined ? undefined : `all ${of('numa_stat')}`);
      const values = {
        current: single(of('current')),
        max: single(of('max')),
        reservedCurrent: single(of('rsvd.current')),
        reservedMax: single(of('rsvd.max')),
        events: flat(of('events')),
        numaStat: pairs?.get('all'),
      };
      return [size, values] as const;
    }),
  );
}

/** `rdma.*`: `hca_handle` and `hca_object` by device. */
export type RdmaFiles = { readonly current: Nested | undefined; readonly max: Nested | undefined };

/** Counts of handles and objects, not bytes. Undefined where the rdma controller is not enabled. */
export function rdmaFiles(text: ReadText): RdmaFiles {
  return { current: nested(text('rdma.current')), max: nested(text('rdma.max')) };
}

/** `misc.*`, by the resource's name. */
export type MiscFiles = {
  /** Of the root: how much there is. */
  readonly capacity: Flat | undefined;
  readonly current: Flat | undefined;
  readonly peak: Flat | undefined;
  readonly max: Flat | undefined;
  readonly events: Flat | undefined;
};

/** In units of the resources, which the kernel does not name. Only the root has `capacity`, all but the root have `max`. */
export function miscFiles(text: ReadText): MiscFiles {
  return {
    capacity: flat(text('misc.capacity')),
    current: flat(text('misc.current')),
    peak: flat(text('misc.peak')),
    max: flat(text('misc.max')),
    events: flat(text('misc.events')),
  };
}
