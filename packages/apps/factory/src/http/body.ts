import type { IncomingMessage } from 'node:http';

import { decodeText } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/** @throws {FactoryError} with `ERR_FACTORY_REQUEST` for more bytes than that, {@link TextError} for what is no UTF-8. */
export async function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new FactoryError('ERR_FACTORY_REQUEST', `more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (incoming.complete || error instanceof FactoryError) throw error;
    throw new FactoryError('ERR_FACTORY_REQUEST', 'the body was cut off', { cause: error });
  }
  return decodeText(Buffer.concat(chunks));
}
