/**
 * The formats of control files (Documentation/admin-guide/cgroup-v2.rst, "Interface Files"). Nothing here throws: a line
 * or a word that is not what it should be is as good as absent, and what is absent is undefined, never zero.
 */

const numeric = /^-?\d+(?:\.\d+)?$/;

/** A number as the kernel prints it; `max` is Infinity. Exact up to 2^53, the nearest double beyond. */
export function parseNumber(word: string): number | undefined {
  if (word === 'max') return Infinity;
  if (!numeric.test(word)) return undefined;
  const value = Number(word);
  return Number.isFinite(value) ? value : undefined;
}

/** The first line without its end; undefined when there is nothing in it. */
export function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n', 1)[0];
  return line === '' ? undefined : line;
}

/** The one number of a file such as `memory.current` or `pids.max`; Infinity for `max`. */
export function single(text: string | undefined): number | undefined {
  const line = firstLine(text);
  return line === undefined ? undefined : parseNumber(line);
}

/** 0 and 1. */
export function flag(text: string | undefined): boolean | undefined {
  const value = single(text);
  return value === undefined ? undefined : value !== 0;
}

/** Words of the first line. An empty file has none; an absent one has no answer. */
export function words(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : (firstLine(text)?.split(' ').filter(Boolean) ?? []);
}

/** Without empty ones. An empty file gives an empty list, an absent file undefined. */
export function lines(text: string | undefined): readonly string[] | undefined {
  return text?.split('\n').filter(Boolean);
}

/** `cgroup.procs`: 0 stands for a process that this PID namespace does not see. */
export function numbers(text: string | undefined): readonly number[] | undefined {
  return lines(text)?.flatMap((line) => parseNumber(line) ?? []);
}

/** `key value` per line. */
export type Flat = ReadonlyMap<string, number>;

/** A file such as `memory.stat`. Lines whose value is no number are left out; of two with one key the last counts. */
export function flat(text: string | undefined): Flat | undefined {
  const pairs = lines(text)?.flatMap((line) => {
    const at = line.indexOf(' ');
    const value = at === -1 ? undefined : parseNumber(line.slice(at + 1));
    return value === undefined ? [] : [[line.slice(0, at), value] as const];
  });
  return pairs && new Map(pairs);
}

/** `key name=value name=value` per line. */
export type Nested = ReadonlyMap<string, Flat>;

/** A file such as `io.stat`. A line keeps its key when none of its pairs is a number; the key of `rdma.max` is a device. */
export function nested(text: string | undefined): Nested | undefined {
  const rows = lines(text)?.map((line) => {
    const [key = '', ...pairs] = line.split(' ');
    const values = pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      const value = at === -1 ? undefined : parseNumber(pair.slice(at + 1));
      return value === undefined ? [] : [[pair.slice(0, at), value] as const];
    });
    return [key, new Map(values)] as const;
  });
  return rows && new Map(rows);
}

/** Processors or memory nodes, both ends included. */
export type Range = { readonly first: number; readonly last: number };

/** `0-3,7`. As ranges: a list of the numbers would have no max length. */
export function ranges(text: string | undefined): readonly Range[] | undefined {
  if (text === undefined) return undefined;
  return (firstLine(text) ?? '').split(',').flatMap((word) => {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(word) ?? [];
    return first === undefined || Number(last) < Number(first)
      ? []
      : [{ first: Number(first), last: Number(last) }];
  });
}
