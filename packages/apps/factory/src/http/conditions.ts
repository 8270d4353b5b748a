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
  return tagsOf(ifNoneMatch)?.some((tag) => [etag, '*'].includes(tag.replace(/^W\//, ''))) ?? false;
}

/** Whether what has the ETag may be sent; undefined has none. A weak tag stands for other bytes, too (RFC 9110, 13.1.1). */
export function isWanted(ifMatch: string | undefined, etag: string | undefined): boolean {
  return tagsOf(ifMatch)?.some((tag) => tag === '*' || tag === etag) ?? true;
}

function tagsOf(header: string | undefined): readonly string[] | undefined {
  return header?.match(/(?:W\/)?"[^"]*"|[^,\s]+/g) ?? (header === undefined ? undefined : []);
}
