export { AnsweringCall, type Answering } from './answering-call.ts';
export { CallTimer } from './call-timer.ts';
export { Handshakes, type EvictionReason } from './handshakes.ts';
export type { HandshakeLimits } from './limits.ts';
export { addressGroup, endsOf, type Ends } from './peer-address.ts';
export { Port } from './port.ts';
export { Served, type ServedLimits } from './served.ts';
