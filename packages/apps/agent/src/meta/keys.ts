import { isPublicTag, isSensitiveTag, metaTag } from '@nodecore/meta';
import type { Json } from '@nodecore/state';

import type { Meta } from '../persistence/meta.ts';
import { MetaRequestError } from './errors.ts';

/** Who wants to change a key of META. */
export type MetaCaller = { readonly maintenance: boolean };

/** Keys that the first one who comes may write: configuration of the network, and what is free for users. */
const openKeys = { first: metaTag.network, last: metaTag.userReserved3 } as const;
const maxValueBytes = 256 << 10;

/**
 * Refuses what is not for this caller to change.
 *
 * @throws {MetaRequestError} `ERR_META_KEY`, `ERR_META_DENIED`, `ERR_META_HELD`.
 */
export function checkKey(key: number, { maintenance }: MetaCaller): void {
  if (!isPublicTag(key)) {
    const why = key > 0xff ? 'no key of META' : "the node's own";
    throw new MetaRequestError('ERR_META_KEY', `key ${nameOf(key)} is ${why}: 0 to 31 are for users`);
  }
  if (maintenance && (key < openKeys.first || key > openKeys.last))
    throw new MetaRequestError(
      'ERR_META_DENIED',
      `before the first configuration the keys ${openKeys.first} to ${openKeys.last} can be changed, and not ${key}`,
    );
  if (key === metaTag.stateEncryption)
    throw new MetaRequestError(
      'ERR_META_HELD',
      `key ${nameOf(key)} says how STATE is opened, which is lost with it: the configuration changes it`,
    );
}

/** @throws {MetaRequestError} `ERR_META_CONTENT`. */
export function checkValue(value: Uint8Array): void {
  if (value.length > maxValueBytes)
    throw new MetaRequestError(
      'ERR_META_CONTENT',
      `a value has at most ${maxValueBytes} bytes, not ${value.length}`,
    );
  if (value.includes(0)) throw new MetaRequestError('ERR_META_CONTENT', 'a value has no NUL in it');
}

/** The number of a key as it is shown: `0x0a`. */
export function nameOf(key: number): string {
  return `0x${key.toString(16).padStart(2, '0')}`;
}

/** What is shown of the values. Bytes that are no text are shown in base64. */
export function metaKeySpecs(values: Iterable<readonly [number, Uint8Array]>): ReadonlyMap<string, Json> {
  const shown = [...values].filter(([key]) => isPublicTag(key));
  return new Map(
    shown.map(([key, value]) => [nameOf(key), isSensitiveTag(key) ? { sensitive: true } : textOf(value)]),
  );
}

/** Whether it has what was written to it. */
export function metaStatusSpec({ damage, isBlank }: Pick<Meta, 'damage' | 'isBlank'>): Json {
  if (damage !== undefined) return { state: damage.kind, warning: damage.message };
  return { state: isBlank ? 'blank' : 'ready' };
}

function textOf(value: Uint8Array): Json {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(value) };
  } catch {
    return { base64: Buffer.from(value).toString('base64') };
  }
}
