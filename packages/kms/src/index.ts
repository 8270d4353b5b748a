export { seal, unseal } from './client.ts';
export { formatEndpoint, parseEndpoint, type Endpoint } from './endpoint.ts';
export { KmsError, type CertificateReason, type KmsErrorCode, type KmsErrorFields } from './errors.ts';
export { type ClientOptions, type SealRequest, type UnsealRequest } from './options.ts';
