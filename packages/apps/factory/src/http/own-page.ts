import type { IncomingMessage } from 'node:http';

import { FactoryError } from '../errors.ts';

/**
 * A browser sends a password along with whatever any site has it send, and says which site that was. What is no browser says nothing.
 *
 * @throws {FactoryError} with `ERR_FACTORY_ORIGIN` when it was a page of another site.
 */
export function assertOwnPage({ headers }: IncomingMessage, externalUrl: string): void {
  if (!isOwnPage(headers, externalUrl))
    throw new FactoryError('ERR_FACTORY_ORIGIN', 'a page of another site has sent this');
}

function isOwnPage(headers: IncomingMessage['headers'], externalUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true; // no browser
  return URL.parse(origin)?.host === host || origin === URL.parse(externalUrl)?.origin;
}
