import type { Json } from './resource.ts';

/**
 * Specs as text, for drivers that keep them outside this process. The text is JSON, and what is read back is what was
 * written, with its types:
 *
 * - a bigint is a number with all its digits; one that a number could hold as well ends in `e0`, to be told apart;
 * - a number that looks like such digits but is none is written with an exponent, `1.8e+16`; minus zero keeps its sign.
 */
export function encodeJson(value: Json): string {
  // Most specs have nothing special, and the replacer costs more than all else.
  return isPlain(value) ? JSON.stringify(value) : JSON.stringify(value, replace);
}

/** @throws {SyntaxError} for what is no JSON. */
export function decodeJson(text: string): Json {
  return (special.test(text) ? JSON.parse(text, revive) : JSON.parse(text)) as Json;
}

/** Long digits, `e0` or minus zero somewhere: texts that have them only inside strings are merely slower. */
const special = /\d{16}|e0|-0/;

function isPlain(value: Json | undefined): boolean {
  switch (typeof value) {
    case 'bigint':
      return false;
    case 'number':
      return !Number.isInteger(value) || (Number.isSafeInteger(value) && !Object.is(value, -0));
    case 'object':
      return value === null || Object.values(value).every((item: Json | undefined) => isPlain(item));
    case 'string':
    case 'boolean':
    case 'undefined':
    case 'function':
    case 'symbol':
    default:
      return true;
  }
}

function replace(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return raw(Number.isSafeInteger(Number(value)) ? `${value}e0` : `${value}`);
  if (typeof value !== 'number' || isPlain(value)) return value;
  return raw(Object.is(value, -0) ? '-0' : value.toExponential());
}

function revive(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  if (source.endsWith('e0') && /^-?\d+e0$/.test(source)) return BigInt(source.slice(0, -2));
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source) ? value : BigInt(source);
}

type RawJson = { readonly rawJSON?: (text: string) => unknown };

/** Not in the library of types yet; in Node.js since 21. */
function raw(text: string): unknown {
  return (JSON as RawJson).rawJSON?.(text);
}
