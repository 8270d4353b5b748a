import { type ZodType } from 'zod';

import { kinds, type Values } from '../kind/kinds.ts';
import { linkAgentSchema } from './link-agent.ts';
import { oomSchema } from './oom.ts';
import { rootSchema } from './root.ts';
import { filesystemTrimSchema } from './trim.ts';
import { trustedRootsSchema } from './trusted-roots.ts';
import { existingVolumeSchema, externalVolumeSchema } from './foreign-volume.ts';
import { rawVolumeSchema, swapVolumeSchema, systemVolumeSchema, userVolumeSchema } from './volume.ts';

/** The documents a configuration may hold; `machine` is the root document, which has no kind. */
export type Kind = ShapedKind | keyof Values;

/** Those whose shape is a schema and whose rules are a reader. */
export type ShapedKind =
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
export const schemas: Readonly<Record<ShapedKind, ZodType>> = {
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
export function isKind(kind: string): kind is ShapedKind {
  return Object.hasOwn(schemas, kind);
}

/** Every kind, the root document first. */
export const allKinds: readonly Kind[] = [
  ...(Object.keys(schemas) as ShapedKind[]),
  ...(kinds.keys() as Iterable<keyof Values>),
];
