import { type Place } from '../place.ts';
import { Mistake } from './mistake.ts';
import { type Json, type Type } from './type.ts';

export type ParsedOptions<T> = {
  /** The value, or what is wrong with the text. */
  readonly parse: (text: string) => T | Mistake;
  /** What an editor can know of the text. */
  readonly json?: Json;
  /** A number is taken as it was written: `1048576`, `1.0`, `0o644`. */
  readonly literal?: boolean;
};

/** A value that is written as a text: an address, a duration. `says` names it in messages: `a duration`. */
export function parsed<T>(says: string, { parse, json = {}, literal = false }: ParsedOptions<T>): Type<T> {
  return {
    json: { type: literal ? ['string', 'number'] : 'string', ...json },
    says: says.replace(/^an? /u, ''),
    read: (at) => {
      const text = literal ? at.literal() : at.text();
      if (text === undefined)
        return at.wrongType(at.scalar() === undefined || literal ? says : `${says}; put it in quotes`);
      const value = parse(text);
      if (!(value instanceof Mistake)) return value;
      at.problem(value.code, value.message, value.ahead === 0 ? 0 : inSource(at, text, value.ahead));
      return undefined;
    },
  };
}

/** How far behind the start of its source a character of a value is. */
function inSource(at: Place, value: string, ahead: number): number {
  const before = value.slice(0, ahead).split('\n');
  return at.ahead({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
}
