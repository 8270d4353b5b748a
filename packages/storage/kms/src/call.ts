import { Secret } from '@nodecore/sys';

import { KMSService, Response, type RequestInit } from '../gen/sidero-kms.js';
import { Connections } from './connections.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import type { Endpoint } from '@nodecore/kms-endpoint';
import { KmsError } from './errors.ts';
import { exchange } from './exchange.ts';
import { encodeRequest } from './key-message.ts';
import { Line } from './line.ts';
import type { ClientOptions } from './options.ts';

/**
 * One call, on a connection that the caller keeps, or on one of its own, which is gone when the promise settles.
 *
 * @returns the data of the response, which the caller disposes. Copies on the way are overwritten.
 */
export async function call(
  operation: 'seal' | 'unseal',
  endpoint: Endpoint,
  request: RequestInit,
  options: ClientOptions,
): Promise<Secret> {
  if (request.nodeUuid === undefined || request.nodeUuid === '')
    throw new TypeError('the node UUID is empty');
  await using own = new Connections();
  const { connections = own } = options;
  const { path } = KMSService[operation];
  const once = (deadline: Deadline): Promise<Outcome> =>
    attempt(connections, { endpoint, options, path, request }, deadline);
  return await withDeadline(endpoint, options, async (deadline) => {
    const first = await once(deadline);
    if ('data' in first) return first.data;
    // The kept connection was dead: one more time on a new one. Sealing or unsealing twice does no harm.
    const second = first.isStale && !connections.isClosed ? await once(deadline) : first;
    if ('data' in second) return second.data;
    throw second.error;
  });
}

type Outcome = { readonly data: Secret } | { readonly error: unknown; readonly isStale: boolean };

type Parts = {
  readonly endpoint: Endpoint;
  readonly options: ClientOptions;
  readonly path: string;
  readonly request: RequestInit;
};

async function attempt(
  connections: Connections,
  { endpoint, options, path, request }: Parts,
  deadline: Deadline,
): Promise<Outcome> {
  const line = connections.enter(endpoint, options, (...args) => new Line(...args));
  const wasOpen = line.isOpen;
  try {
    const session = await line.session(deadline);
    // Encoded late and kept short: it holds a key.
    using message = encodeRequest(request);
    using response = await exchange(session, path, message, deadline);
    return { data: dataOf(endpoint, response) };
  } catch (error) {
    const isUnanswered = deadline.progress.stage === 'waiting for the answer';
    const isStale = wasOpen && line.isLost && isUnanswered && !deadline.signal.aborted;
    // Only a status proves that somebody is there: a path that was lost without a word would take the time of each call.
    if (!(error instanceof KmsError && error.status !== undefined)) line.retire();
    return { error, isStale };
  } finally {
    line.leave();
  }
}

function dataOf(endpoint: Endpoint, response: Secret): Secret {
  try {
    return Secret.copy(Response.decode(response.bytes).data);
  } catch (cause) {
    throw new KmsError('ERR_KMS_ANSWER', endpoint.text, 'the answer is no response of a key server', {
      cause,
    });
  }
}
