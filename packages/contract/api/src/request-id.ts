import { randomBytes } from 'node:crypto';

import type { Metadata } from '@grpc/grpc-js';

/** Metadata with the id of a call. Whoever passes the call on hands it on, too. */
const key = 'x-request-id';
/** It stands in lines of logs as it is. */
const form = /^[\w.:-]{1,64}$/u;

/** An id that no other call has: people search logs for it, so it is short. */
export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

/** The id of a call: that of the caller, else a new one, which its metadata have from now on. */
export function takeRequestId(metadata: Pick<Metadata, 'get' | 'set'>): string {
  const [said, ...others] = metadata.get(key).map(String);
  if (said !== undefined && others.length === 0 && form.test(said)) return said;
  const id = newRequestId();
  metadata.set(key, id);
  return id;
}

/** The id that a call has by then; undefined: it is the agent's own, which nobody looks for. */
export function requestIdOf(metadata: Pick<Metadata, 'get'>): string | undefined {
  return metadata.get(key)[0]?.toString();
}

/** The header that tells it to a node. */
export function requestIdHeader(id: string | undefined): Readonly<Record<string, string>> {
  return id === undefined ? {} : { [key]: id };
}
