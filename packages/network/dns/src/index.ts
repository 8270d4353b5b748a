export { Cache, type CacheOptions } from './cache.ts';
export { httpsUpstream, tlsUpstream, type EncryptedOptions } from './encrypted-upstream.ts';
export { DnsError, type DnsErrorCode } from './errors.ts';
export { Forwarder, type ForwarderOptions, type UpstreamHealth } from './forwarder.ts';
export { Message, type Question } from './message.ts';
export { plainUpstream } from './plain-upstream.ts';
export { checkLoop, Stub, type StubAddress } from './server.ts';
export type { Upstream, UpstreamAddress } from './upstream.ts';
