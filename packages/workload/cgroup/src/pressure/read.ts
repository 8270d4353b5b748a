import { access, readFile } from 'node:fs/promises';

import type { Pressure, PressureResource, ResourcePressure } from '@nodecore/pressure-policy';

import { CgroupError } from '../errors.ts';
import { errnoOf, translate } from '../failure.ts';
import { pathBytes } from '../path-bytes.ts';
import { parsePressure } from './reading.ts';
import { pressureFile, type PressureTarget } from './target.ts';

/**
 * The pressure of the machine or of a cgroup. What this kernel doesn't have (irq, mostly) is undefined.
 *
 * @throws {CgroupError} `ERR_CGROUP_PRESSURE_OFF` when nothing is accounted, `ERR_CGROUP_NOT_FOUND` when there is no
 *   such cgroup.
 */
export async function readPressure(
  target: PressureTarget = 'system',
  options: { readonly signal?: AbortSignal } = {},
): Promise<Pressure> {
  const of = async (resource: PressureResource): Promise<ResourcePressure | undefined> => {
    try {
      return await readResource(target, resource, options.signal);
    } catch (error) {
      if (error instanceof CgroupError && error.code === 'ERR_CGROUP_NOT_FOUND') return undefined;
      throw error;
    }
  };
  const [cpu, memory, io, irq] = await Promise.all([of('cpu'), of('memory'), of('io'), of('irq')]);
  if (cpu === undefined && memory === undefined && io === undefined && irq === undefined)
    throw await nothing(target);
  return { cpu, memory, io, irq };
}

/** One file of it. @throws {CgroupError} `ERR_CGROUP_NOT_FOUND`, `ERR_CGROUP_PRESSURE_OFF` */
export async function readResource(
  target: PressureTarget,
  resource: PressureResource,
  signal?: AbortSignal,
): Promise<ResourcePressure> {
  const path = pressureFile(target, resource);
  try {
    return parsePressure(
      await readFile(pathBytes(path), { encoding: 'utf8', ...(signal === undefined ? {} : { signal }) }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw translate(error, path);
  }
}

/** The files are missing: with their cgroup, or because the kernel doesn't account. */
async function nothing(target: PressureTarget): Promise<CgroupError> {
  const path = target === 'system' ? '/proc' : target.cgroup;
  try {
    await access(pathBytes(path));
    return new CgroupError('ERR_CGROUP_PRESSURE_OFF', path, 'pressure is not accounted here');
  } catch (error) {
    return new CgroupError('ERR_CGROUP_NOT_FOUND', path, errnoOf(error) ?? 'gone', { cause: error });
  }
}
