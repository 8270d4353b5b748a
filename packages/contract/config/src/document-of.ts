import { type Volume } from './types.ts';

const kinds = {
  system: 'VolumeConfig',
  user: 'UserVolumeConfig',
  raw: 'RawVolumeConfig',
  swap: 'SwapVolumeConfig',
  existing: 'ExistingVolumeConfig',
  external: 'ExternalVolumeConfig',
} as const satisfies Record<Volume['kind'], string>;

/** The document that a volume is from: `UserVolumeConfig/data`. */
export function documentOf({ kind, name }: Pick<Volume, 'kind' | 'name'>): string {
  return `${kinds[kind]}/${name}`;
}
