import type { IncomingMessage } from 'node:http';

import { limits } from '@nodecore/schematic';

import { FactoryError } from '../errors.ts';
import { bodyOf } from '../http/body.ts';
import { assertOwnPage } from '../http/own-page.ts';

/** What a form of a page of this factory has sent. Every byte of it may be written as three. */
export async function readForm(incoming: IncomingMessage, externalUrl: string): Promise<URLSearchParams> {
  const { headers } = incoming;
  assertOwnPage(incoming, externalUrl);
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new FactoryError('ERR_FACTORY_REQUEST', 'only forms are taken here: POST /schematics takes text');
  return new URLSearchParams(await bodyOf(incoming, 3 * limits.textBytes));
}
