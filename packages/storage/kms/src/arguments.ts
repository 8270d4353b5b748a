/**
 * Programs without types, and those that cast: what they confuse is told by name before anything is sent, and never shown, because
 * it may be a key.
 */
import { Secret } from '@nodecore/sys';

import type { Endpoint } from '@nodecore/kms-endpoint';

/** @throws {TypeError} `ERR_INVALID_ARG_TYPE` */
export function checkEndpoint(endpoint: unknown): asserts endpoint is Endpoint {
  if (typeof endpoint === 'string') throw wrong('endpoint', 'is a text: give what parseEndpoint makes of it');
  const { host, port } = (endpoint ?? {}) as Partial<Endpoint>;
  if (typeof host !== 'string' || typeof port !== 'number')
    throw wrong('endpoint', 'is none: give what parseEndpoint has returned');
}

/** @throws {TypeError} `ERR_INVALID_ARG_TYPE` */
export function checkSecret(name: string, value: unknown): asserts value is Secret {
  if (!(value instanceof Secret))
    throw wrong(name, `is ${kindOf(value)}: a key is a Secret, made with Secret.take of its bytes`);
}

/** @throws {TypeError} `ERR_INVALID_ARG_TYPE` */
export function checkBytes(name: string, value: unknown): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array))
    throw wrong(name, `is ${kindOf(value)}: give the bytes that seal has returned`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return 'a text';
  return value instanceof Uint8Array ? 'bytes' : 'something else';
}

function wrong(name: string, what: string): TypeError {
  return Object.assign(new TypeError(`${name} ${what}`), { code: 'ERR_INVALID_ARG_TYPE' });
}
