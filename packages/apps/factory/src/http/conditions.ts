import { isHeld, isWanted } from '@nodecore/oci';

import { FactoryError } from '../errors.ts';

/** What an answer is sent for, or not (RFC 9110, 13). Dates are not looked at: no answer says since when it is what it is. */
export type Conditions = {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
};

/**
 * Whether a client has already what the ETag stands for.
 *
 * @throws {FactoryError} with `ERR_FACTORY_PRECONDITION` when another one is asked for, and nothing else.
 */
export function isKnown({ ifMatch, ifNoneMatch }: Conditions, etag: string): boolean {
  if (!isWanted(ifMatch, etag))
    throw new FactoryError('ERR_FACTORY_PRECONDITION', 'if-match: what is here has another ETag');
  return isHeld(ifNoneMatch, etag);
}
