import { randomUUID } from 'node:crypto';

import type { Metadata } from '@grpc/grpc-js';

/** Metadata with the id of a call. Whoever passes the call on hands it on, too. */
const key = 'x-request-id';
/** It stands in lines of logs as it is. */
const form = /^[\w.:-]{1,64}$/u;

/** The id of a call: that of the caller, else a new one, which its metadata have from now on. */
export function takeRequestId(metadata: Pick<Metadata, 'get' | 'set'>): string {
  const [said, ...others] = metadata.get(key).map(String);
  if (said !== undefined && others.length === 0 && form.test(said)) return said;
  const id = randomUUID();
  metadata.set(key, id);
  return id;
}

/** The id that a call has by then; undefined: it is the agent's own, which nobody looks for. */
export function requestIdOf(metadata: Pick<Metadata, 'get'>): string | undefined {
  return metadata.get(key)[0]?.toString();
}

/** The header that tells it to another node. */
export function requestIdHeader(metadata: Pick<Metadata, 'get'>): Readonly<Record<string, string>> {
  const id = requestIdOf(metadata);
  return id === undefined ? {} : { [key]: id };
}
