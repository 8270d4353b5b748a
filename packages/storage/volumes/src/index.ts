export type { Action } from './plan/action.ts';
export type { Changes, Effects, Observations } from './effects.ts';
export { VolumeError, type VolumeErrorCode } from './errors.ts';
export type { Facts } from './facts/facts.ts';
export { enforcedAccessControl } from './machine/access-control.ts';
export { filesystemLabel } from './documents/filesystem-label.ts';
export { fromConfiguration, type SpecOptions } from './documents/from-configuration.ts';
export { type DiskIdentity, identityOf, type IntentRecord, type IntentStore } from './intents/intent.ts';
export { isDisk, isLasting } from './intents/intent.ts';
export type { Log } from './log.ts';
export type { KeySources } from './machine/machine-effects.ts';
export type { MountRequest, MountWish, VolumeMountRequest } from './mounts/request.ts';
export { VolumeManager, type VolumeManagerOptions } from './manager/manager.ts';
export { type KeysTried } from './work.ts';
export { makeKeys, type NewKeys } from './keys/new-keys.ts';
export { plan } from './plan/plan.ts';
export type { EmptinessAnswer, Place } from './manager/prove-empty.ts';
export { sameKeys } from './keys/same-keys.ts';
export {
  mappingName,
  placeOf,
  type FilesystemSpec,
  type FilesystemType,
  type MountFlags,
  type MountSpec,
  type PartitionSpec,
  type VolumeKind,
  type VolumeType,
  type VolumeSpec,
} from './spec.ts';
export type { MountStatus, Permanence, SyncFailure, VolumePhase, VolumeStatus } from './status.ts';
export { findSystemDisk } from './disks/system-disk.ts';
export { systemTarget } from './documents/system-mount.ts';
export type { DiskVerdict } from './facts/verdict.ts';
export type { VolumeMountStatus } from './mounts/volume-mount-status.ts';
export type { RestoreHeaderOptions, RotateOptions, VolumeKeys } from './keys/volume-keys.ts';
