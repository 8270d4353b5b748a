import type { ReadCgroupsRequest } from '@nodecore/api/cgroup';

import { CgroupsError } from './errors.ts';

/** What a caller asked for, checked. */
export type Plan = {
  readonly files: readonly string[];
  /** Where to begin, from the root of the hierarchy: `/`, `/system.slice`. */
  readonly cgroup: string;
  readonly names: boolean;
  readonly processes: boolean;
};

const maxFiles = 128;
const shortestMs = 100;
const longestMs = 3_600_000;
const defaultMs = 1000;
/** The PIDs of a cgroup, one a line (cgroup-v2.rst); read beside the files of a request that asks for processes. */
export const processList = 'cgroup.procs';

/** @throws {CgroupsError} `ERR_CGROUPS_REQUEST` */
export function planOf({ files, cgroup, names, processes }: ReadCgroupsRequest): Plan {
  const all = new Set(processes ? [...files, processList] : files);
  if (all.size > maxFiles) throw refused(`${all.size} files are too many; ask for ${maxFiles}`);
  for (const file of all) {
    // A name, never a path: nothing but files of cgroups is read.
    if (!/^[a-z]\w*(\.\w+)+$/.test(file)) throw refused(`"${file}" is not the name of a cgroup's file`);
  }
  return { files: [...all], cgroup: pathOf(cgroup), names, processes };
}

/** Milliseconds between samples. @throws {CgroupsError} `ERR_CGROUPS_REQUEST` */
export function intervalOf(millis: number): number {
  if (millis === 0) return defaultMs;
  if (millis < shortestMs || millis > longestMs)
    throw refused(`an interval is ${shortestMs} ms to ${longestMs} ms`);
  return millis;
}

function pathOf(path: string): string {
  if (path === '' || path === '/') return '/';
  const [first, ...names] = path.split('/');
  const isPath = first === '' && names.every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPath || path.includes('\0'))
    throw refused(`"${path}" is not the path of a cgroup; write it like /system.slice`);
  return path;
}

function refused(message: string): CgroupsError {
  return new CgroupsError('ERR_CGROUPS_REQUEST', message);
}
