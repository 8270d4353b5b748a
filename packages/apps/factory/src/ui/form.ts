import type { IncomingMessage } from 'node:http';

import { limits } from '@nodecore/schematic';

import { FactoryError } from '../errors.ts';
import { bodyOf } from '../http/body.ts';

/** What a form of a page of this factory has sent. Every byte of it may be written as three. */
export async function readForm(incoming: IncomingMessage, externalUrl: string): Promise<URLSearchParams> {
  const { headers } = incoming;
  if (!isOwnPage(incoming, externalUrl))
    throw new FactoryError('ERR_FACTORY_ORIGIN', 'a page of another site has sent this');
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new FactoryError('ERR_FACTORY_REQUEST', 'only forms are taken here: POST /schematics takes text');
  return new URLSearchParams(await bodyOf(incoming, 3 * limits.textBytes));
}

/** A browser sends a password along with whatever any site has it send, and says which site that was. */
function isOwnPage({ headers }: IncomingMessage, externalUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true; // no browser
  return URL.parse(origin)?.host === host || origin === URL.parse(externalUrl)?.origin;
}
