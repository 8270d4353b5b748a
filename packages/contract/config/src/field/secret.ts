import { type Secret } from '@nodecore/sys/pure';

import { withJson } from './shape.ts';
import { type Type } from './type.ts';

/** A text that must never be shown. What reads it gets a {@link Secret}, so that showing it does not compile. */
export function secret(type: Type<string>): Type<Secret> {
  return {
    ...type,
    json: { ...type.json, writeOnly: true },
    secret: 'always',
    read: (at) => {
      const text = type.read(at);
      return text === undefined ? undefined : at.keep(text);
    },
  };
}

/** A free text in which people put secrets: it reads as it is, and is hidden wherever a configuration is shown. */
export function secretMaybe<T>(type: Type<T>): Type<T> {
  return Object.assign(withJson(type, { 'x-secret': 'maybe' }), { secret: 'maybe' as const });
}
