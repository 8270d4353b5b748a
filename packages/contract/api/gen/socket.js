// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  SocketFilter,
  SocketState,
  SocketTimer,
  NetstatRequest,
  NetstatResponse,
  Socket,
  SocketProcess,
  SocketService,
} from './nodecore-v1.js';
