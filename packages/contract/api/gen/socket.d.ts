// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  SocketFilter,
  SocketState,
  SocketTimer,
  NetstatRequest,
  type NetstatRequestInit,
  NetstatResponse,
  type NetstatResponseInit,
  Socket,
  type SocketInit,
  SocketProcess,
  type SocketProcessInit,
  SocketService,
  type SocketServiceHandlers,
} from './nodecore-v1.js';
