import { Secret } from '@nodecore/sys';

import { KMSService, Response, type RequestInit } from '../gen/sidero-kms.js';
import { connect } from './connection.ts';
import { withDeadline } from './deadline.ts';
import type { Endpoint } from './endpoint.ts';
import { KmsError } from './errors.ts';
import { exchange } from './exchange.ts';
import { encodeRequest } from './key-message.ts';
import type { ClientOptions } from './options.ts';

/**
 * One call over a connection of its own, which is gone when the promise settles.
 *
 * @returns the data of the response, which the caller disposes. Copies on the way are overwritten.
 */
export function call(
  operation: 'seal' | 'unseal',
  endpoint: Endpoint,
  request: RequestInit,
  options: ClientOptions,
): Promise<Secret> {
  if (request.nodeUuid === undefined || request.nodeUuid === '')
    throw new TypeError('the node UUID is empty');
  const { path } = KMSService[operation];
  return withDeadline(endpoint, options, async (deadline) => {
    const connection = await connect(endpoint, options, deadline);
    // Encoded late and kept short: it holds a key.
    using message = encodeRequest(request);
    using response = await exchange(connection, path, message, deadline);
    return dataOf(endpoint, response);
  });
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
