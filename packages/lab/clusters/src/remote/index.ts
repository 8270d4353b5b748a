/** Clusters of another computer: the server there, and its client. */
export { ArtifactStore } from './artifacts.ts';
export { type RemoteOptions, RemoteClusters } from './client.ts';
export { type CredentialFiles, remoteCredentials, type RemoteCredentials } from './credentials.ts';
export type { DoorOf } from './door.ts';
export type { RemoteListen } from './entrance.ts';
export type { RemoteLimits } from './limits.ts';
export type { RemoteEnd, RemoteFlag, RemotePiece, RemoteRequest, RemoteRun } from './messages.ts';
export { type RemoteServer, type RemoteServerOptions, serveRemote } from './server.ts';
