import type { AddonHttp2End } from './http2-addon.ts';

/** The answer to a call, whole or so far. */
export type Http2Answer = {
  readonly headers: ReadonlyMap<string, string>;
  readonly trailers: ReadonlyMap<string, string>;
  /** What the stream was closed with (RFC 9113, 7.); 0 also while it is open. */
  readonly closedWith: number;
  /** How the server violated HTTP/2, in nghttp2's words; undefined: not at all. */
  readonly violation: string | undefined;
  /** The stream has ended; false after the connection's end: the answer is cut off. */
  readonly isOver: boolean;
};

/** Of a name that came more than once, the last value stays. @param isOver whether the stream has ended. */
export function http2Answer(end: AddonHttp2End, isOver: boolean): Http2Answer {
  const { headers, trailers, closedWith, violation } = end;
  return {
    headers: mapOf(headers),
    trailers: mapOf(trailers),
    closedWith,
    violation: violation === '' ? undefined : violation,
    isOver,
  };
}

function mapOf(pairs: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let index = 0; index < pairs.length; index += 2) map.set(pairs[index] ?? '', pairs[index + 1] ?? '');
  return map;
}
