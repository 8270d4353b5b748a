import { compileVolumeSelector } from '@nodecore/selector';

import { filesystemLabel, type VolumeSpec } from '../src/index.ts';
import { userSpec } from './specs.ts';

type Change = Partial<VolumeSpec>;

/** A partition of 500 MiB at least that is only handed over. */
export function rawSpec(name: string, match: string, change: Change = {}): VolumeSpec {
  const { mount: _mount, filesystem: _filesystem, ...rest } = userSpec(name, match);
  return { ...rest, id: `r-${name}`, kind: 'raw', ...change };
}

export function swapSpec(name: string, match: string, change: Change = {}): VolumeSpec {
  const id = `s-${name}`;
  const filesystem = {
    type: 'swap',
    label: filesystemLabel(id, 'swap'),
    projectQuotaSupport: false,
  } as const;
  return { ...rawSpec(name, match), id, kind: 'swap', filesystem, ...change };
}

/** Without a disk: a directory, or what the host shares as `tag`. */
export function directorySpec(name: string, tag?: string): VolumeSpec {
  const { mount } = userSpec(name, 'false');
  const place = { provision: false, disks: undefined, mount, after: [], recorded: false } as const;
  if (tag === undefined) return { ...place, id: `u-${name}`, kind: 'user', type: 'directory' };
  return { ...place, id: `x-${name}`, kind: 'external', type: 'external', tag };
}

export function existingSpec(name: string, match: string): VolumeSpec {
  const { mode: _mode, ...mount } = userSpec(name, 'false').mount;
  return {
    ...directorySpec(name),
    id: `e-${name}`,
    kind: 'existing',
    type: 'partition',
    mount,
    volumes: compileVolumeSelector(match),
  };
}

export function mounted(spec: VolumeSpec, parent: string): VolumeSpec {
  return spec.mount === undefined ? spec : { ...spec, mount: { ...spec.mount, parent } };
}
