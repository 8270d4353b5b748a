export { formatEndpoint, parseEndpoint, type Endpoint } from './endpoint.ts';
export { KmsEndpointError } from './errors.ts';
