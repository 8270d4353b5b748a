/** Calls over HTTP/2 whose connection the caller has, and nothing else: what is not loaded delays no client's start. */
export { type Http2Answer } from './http2-answer.ts';
export { Http2Call, type Http2Request } from './http2-call.ts';
