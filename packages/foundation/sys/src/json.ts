// JSON.parse source text access, https://tc39.es/proposal-json-parse-with-source/: in Node 24, not yet in the compiler's library.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** JSON where a bigint is a number with all its digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(`${item}`) : item),
    indent,
  );
}

/** The value of JSON text, where an integer beyond 2^53 is a bigint. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
}

function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}
