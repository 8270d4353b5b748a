export type { SocketAddress } from '@nodecore/sys';
export { KeyServerError, type KeyServerErrorCode } from './errors.ts';
export { KeyRing, type RingKey, type RingKeyState } from './ring/key-ring.ts';
export { changeRing, createRing, readRing } from './ring/ring-file.ts';
export { startKeyServer } from './serve.ts';
// Types only: the server's modules are loaded when one is started.
export type { TlsFiles } from './server/credentials.ts';
export type { KeyServer, KeyServerOptions } from './server/key-server.ts';
export type { Log } from './server/log.ts';
export type { Limits } from './server/rate-limit.ts';
export type { Rate } from '@nodecore/waiting';
