export {
  AddRecoveryKeyRequest,
  AddRecoveryKeyResponse,
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ApplyMode,
  BackupHeaderRequest,
  BackupHeaderResponse,
  Bookmark,
  ErrorInfo,
  Event,
  EventType,
  GetRequest,
  GetResponse,
  ListRequest,
  ListResponse,
  MachineService,
  Metadata,
  Mount,
  MountsRequest,
  MountsResponse,
  Phase,
  Problem,
  Resource,
  ResourceService,
  RestoreHeaderRequest,
  RestoreHeaderResponse,
  RotateKeysRequest,
  RotateKeysResponse,
  RotationState,
  VersionRequest,
  VersionResponse,
  VolumeService,
  WatchRequest,
  WatchResponse,
  type AddRecoveryKeyRequestInit,
  type AddRecoveryKeyResponseInit,
  type ApplyConfigurationRequestInit,
  type ApplyConfigurationResponseInit,
  type BackupHeaderRequestInit,
  type BackupHeaderResponseInit,
  type BookmarkInit,
  type Codec,
  type ErrorInfoInit,
  type EventInit,
  type GetRequestInit,
  type GetResponseInit,
  type ListRequestInit,
  type ListResponseInit,
  type MachineServiceHandlers,
  type MetadataInit,
  type Method,
  type MountInit,
  type MountsResponseInit,
  type ProblemInit,
  type ResourceInit,
  type ResourceServiceHandlers,
  type RestoreHeaderRequestInit,
  type RestoreHeaderResponseInit,
  type RotateKeysRequestInit,
  type RotateKeysResponseInit,
  type VersionResponseInit,
  type VolumeServiceHandlers,
  type WatchRequestInit,
  type WatchResponseInit,
} from '../gen/nodecore-v1.js';
export {
  definitionNamespace,
  definitionType,
  namesOf,
  resolveType,
  type PrintColumn,
  type ResourceDefinition,
} from './definition.ts';
export { ApiError, type ApiErrorCode, type ApiErrorFields } from './errors.ts';
export {
  permits,
  permitsInMaintenance,
  permitsSensitive,
  requirementOf,
  roles,
  rolesOf,
  type CertificateSubject,
  type Requirement,
  type Role,
} from './roles.ts';
export { decodeSpec, encodeSpec, parse, stringify } from './spec.ts';
export { codeOfStatus, errorInfoKey, errorInfoOf, failure } from './status.ts';
export { type CallOptions } from './client/call.ts';
export { Client, connect, type ConnectOptions } from './client/connect.ts';
export { defaultPort, formatEndpoint, parseEndpoint, type Endpoint } from './client/endpoint.ts';
export { follow, type Change, type FollowOptions, type FollowTarget } from './client/follow.ts';
export { listAll, listDefinitions } from './client/resources.ts';
export * as pki from './pki.ts';
export { Osconfig, type Rename } from './osconfig.ts';
export { type OsContext, type OsContextInput } from './osconfig-context.ts';
export { OsconfigError, type OsconfigErrorCode } from './osconfig-errors.ts';
export { loadOsconfig, saveOsconfig, type LoadedOsconfig } from './osconfig-file.ts';
export {
  locate as locateOsconfig,
  osHome,
  type Location,
  type LocationOptions,
} from './osconfig-location.ts';
