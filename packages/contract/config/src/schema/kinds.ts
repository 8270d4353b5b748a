import { type ZodType } from 'zod';

import { linkAgentSchema } from './link-agent.ts';
import { oomSchema } from './oom.ts';
import { rootSchema } from './root.ts';
import { filesystemTrimSchema } from './trim.ts';
import { trustedRootsSchema } from './trusted-roots.ts';
import { existingVolumeSchema, externalVolumeSchema } from './foreign-volume.ts';
import { rawVolumeSchema, swapVolumeSchema, systemVolumeSchema, userVolumeSchema } from './volume.ts';

/** The documents a configuration may hold; `machine` is the root document, which has no kind. */
export type Kind =
  | 'machine'
  | 'UserVolumeConfig'
  | 'VolumeConfig'
  | 'RawVolumeConfig'
  | 'SwapVolumeConfig'
  | 'ExistingVolumeConfig'
  | 'ExternalVolumeConfig'
  | 'TrustedRootsConfig'
  | 'FilesystemTrimConfig'
  | 'OOMConfig'
  | 'LinkAgentConfig';

/** One schema per kind, for three uses: the shape check, the search for secret fields, and the published JSON Schemas. */
export const schemas: Readonly<Record<Kind, ZodType>> = {
  machine: rootSchema,
  UserVolumeConfig: userVolumeSchema,
  VolumeConfig: systemVolumeSchema,
  RawVolumeConfig: rawVolumeSchema,
  SwapVolumeConfig: swapVolumeSchema,
  ExistingVolumeConfig: existingVolumeSchema,
  ExternalVolumeConfig: externalVolumeSchema,
  TrustedRootsConfig: trustedRootsSchema,
  FilesystemTrimConfig: filesystemTrimSchema,
  OOMConfig: oomSchema,
  LinkAgentConfig: linkAgentSchema,
};

/** Whether this version serves the kind; names that every object inherits, as `toString`, are none. */
export function isKind(kind: string): kind is Kind {
  return Object.hasOwn(schemas, kind);
}

/** Kinds of the interface that this version knows and does not serve: named in problems instead of called unknown. */
export const kindsNotOffered: ReadonlySet<string> = new Set([
  'FilesystemScrubConfig',
  'ZswapConfig',
  'LVMVolumeGroupConfig',
  'LVMLogicalVolumeConfig',
  'RAIDArrayConfig',
]);

/** Fields of the interface that this version knows and does not serve. */
export const fieldsNotOffered: ReadonlySet<string> = new Set(['scrub']);
