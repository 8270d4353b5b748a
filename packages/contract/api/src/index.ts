export { type Codec, type Method } from '../gen/nodecore-v1.js';
export {
  definitionNamespace,
  definitionType,
  namesOf,
  isFormerName,
  resolveType,
  type PrintColumn,
  type ResourceDefinition,
} from './definition.ts';
export { ApiError, type ApiErrorCode, type ApiErrorFields } from './errors.ts';
export {
  impersonator,
  isImpersonator,
  permits,
  permitsInMaintenance,
  permitsSensitive,
  methodPaths,
  requirementOf,
  rolesFor,
  roles,
  rolesOf,
  type CertificateSubject,
  type Requirement,
  type Role,
} from './roles.ts';
export { decodeSpec, encodeSpec, parse, stringify } from './spec.ts';
export { codeOfStatus, errorInfoKey, errorInfoOf, failure, statusOfKind } from './status.ts';
export { stream as callStream, unary as callUnary, upload as callUpload } from './client/call.ts';
export { type CallOptions, type CallSigner, type Channel } from './client/channel.ts';
export { type ConnectOptions } from './client/connect-options.ts';
export { type ConnectionFault } from './client/connection-fault.ts';
export { Client, connect } from './client/connect.ts';
export {
  defaultPort,
  formatEndpoint,
  parseEndpoint,
  parseServerEndpoint,
  socketPathProblem,
  type Endpoint,
} from './client/endpoint.ts';
export { chooseProxy, parseProxy, shownProxy, type ProxyServer } from './client/proxy-server.ts';
export { KvstoreClient, kvstoreSnapshotLayout } from './client/kvstore.ts';
export { LentCall, type LentAnswer, type LentCallOptions, type LentRequest } from './client/lent-call.ts';
export { follow, type Change, type FollowOptions, type FollowTarget } from './client/follow.ts';
export { followEvents, type FollowEventsOptions } from './client/follow-events.ts';
export { OwnedChannel } from './client/owned-channel.ts';
export { listAll, listDefinitions } from './client/resources.ts';
export { checkNode, runChecks, type CheckResult, type NodeFacts, type Verdict } from './health/index.ts';
export { Osconfig, type Rename } from './osconfig.ts';
export { type OsContext, type OsContextInput } from './osconfig-context.ts';
export { OsconfigError, type OsconfigErrorCode } from './osconfig-errors.ts';
export { editOsconfig, loadOsconfig, saveOsconfig, type LoadedOsconfig } from './osconfig-file.ts';
export {
  locate as locateOsconfig,
  osHome,
  type Location,
  type LocationOptions,
} from './osconfig-location.ts';
