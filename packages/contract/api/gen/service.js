// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  ServiceListRequest,
  ServiceListResponse,
  ServiceInfo,
  ServiceHistoryEntry,
  ServiceHealthInfo,
  ServiceStartRequest,
  ServiceStartResponse,
  ServiceStopRequest,
  ServiceStopResponse,
  ServiceRestartRequest,
  ServiceRestartResponse,
  LogsRequest,
  LogsResponse,
  LogsContainersRequest,
  LogsContainersResponse,
  SupervisorService,
} from './nodecore-v1.js';
