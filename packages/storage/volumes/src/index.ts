export type { Action } from './action.ts';
export type { Changes, Effects, Observations } from './effects.ts';
export { VolumeError, type VolumeErrorCode } from './errors.ts';
export type { Facts } from './facts.ts';
export { filesystemLabel } from './filesystem-label.ts';
export { fromConfiguration, type SpecOptions } from './from-configuration.ts';
export { type DiskIdentity, identityOf, type IntentRecord, type IntentStore } from './intent.ts';
export { isDisk, isLasting } from './intent.ts';
export type { Log } from './log.ts';
export type { KeySources } from './machine-effects.ts';
export type { MountRequest, MountWish, VolumeMountRequest } from './mount-request.ts';
export { VolumeManager, type VolumeManagerOptions } from './manager.ts';
export { makeKeys, type NewKeys } from './new-keys.ts';
export { plan } from './plan.ts';
export type { EmptinessAnswer, Place } from './prove-empty.ts';
export { sameKeys } from './same-keys.ts';
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
export { findSystemDisk } from './system-disk.ts';
export { systemTarget } from './system-mount.ts';
export type { DiskVerdict } from './verdict.ts';
export type { VolumeMountStatus } from './volume-mount-status.ts';
export type { RestoreHeaderOptions, RotateOptions, VolumeKeys } from './volume-keys.ts';
