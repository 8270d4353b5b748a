import type { SessionOptions } from 'node:http2';

/** What one end of a link lets the other do. Sizes in bytes, times in milliseconds. */
export type LinkLimits = {
  /** Of Provision, an answer or an event, as one line of JSON. */
  readonly maxMessageBytes: number;
  /** Of one line of the machine's log. */
  readonly maxLogBytes: number;
  /** Streams that the fleet may have open on one link at once. */
  readonly maxStreams: number;
  /** From the accepted connection to a whole Provision message, and from a CONNECT to its answer. */
  readonly answerMs: number;
  /** Between pings; the link is given up when two of them are not answered. */
  readonly heartbeatMs: number;
  /** To a TLS session, from the first packet on. */
  readonly connectMs: number;
};

/** The limits of both ends unless a test says others. */
export const linkLimits: LinkLimits = {
  maxMessageBytes: 64 << 10,
  maxLogBytes: 16 << 10,
  maxStreams: 64,
  answerMs: 10_000,
  heartbeatMs: 15_000,
  connectMs: 10_000,
};

/** For HTTP/2 of both ends. A header list is small here: there are no cookies and no tokens in it. */
export const sessionOptions: SessionOptions & {
  readonly maxSessionInvalidFrames: number;
  readonly maxReservedRemoteStreams: number;
} = {
  maxHeaderListPairs: 64,
  maxSessionInvalidFrames: 16,
  maxOutstandingPings: 4,
  maxReservedRemoteStreams: 0,
  settings: {
    enablePush: false,
    maxHeaderListSize: 16 << 10,
    initialWindowSize: 1 << 20,
  },
};

/** Of the connection as a whole: four streams at full speed. */
export const sessionWindowBytes: number = 4 << 20;
