export { seal, unseal } from './client.ts';
export { Connections, type ConnectionsOptions } from './connections.ts';
export { formatEndpoint, KmsEndpointError, parseEndpoint, type Endpoint } from '@nodecore/kms-endpoint';
export { KmsError, type CertificateReason, type KmsErrorCode, type KmsErrorFields } from './errors.ts';
export type { ClientOptions, SealRequest, UnsealRequest } from './options.ts';
