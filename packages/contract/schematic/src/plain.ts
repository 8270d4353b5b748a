/** What an unquoted text is to the YAML reader whose texts the IDs were made from. */
export type Plain =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'time' }
  | { readonly type: 'text' };

const words: Readonly<Record<string, Plain>> = Object.fromEntries([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, { type: 'null' }] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, { type: 'boolean', value: true }] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, { type: 'boolean', value: false }] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { type: 'float', value: NaN }] as const),
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [
    [word, { type: 'float', value: Infinity }] as const,
    [`+${word}`, { type: 'float', value: Infinity }] as const,
    [`-${word}`, { type: 'float', value: -Infinity }] as const,
  ]),
]);

/** The type that an unquoted text has. */
export function resolvePlain(text: string): Plain {
  const word = Object.hasOwn(words, text) ? words[text] : undefined;
  if (word !== undefined) return word;
  if (text.startsWith('.')) return floatOf(text, /^\.\d+(?:[eE][-+]?\d+)?$/) ?? { type: 'text' };
  if (!/^[-+\d]/.test(text)) return { type: 'text' };
  if (isTime(text)) return { type: 'time' };
  const digits = text.replaceAll('_', '');
  const integer = integerOf(digits);
  if (integer !== undefined) return { type: 'integer', value: integer };
  return floatOf(digits, /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/) ?? { type: 'text' };
}

function floatOf(text: string, form: RegExp): Plain | undefined {
  if (!form.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

/** Decimal, 0x, 0o, 0b, or octal behind a 0; what fits into 64 bits with or without a sign. */
function integerOf(text: string): bigint | undefined {
  const match =
    /^(?<sign>[-+]?)(?:(?<decimal>0|[1-9]\d*)|0[xX](?<hex>[\da-fA-F]+)|0[oO]?(?<octal>[0-7]+)|0[bB](?<binary>[01]+))$/.exec(
      text,
    ) ?? /^(?:0b(?<sign>[-+])(?<binary>[01]+)|0o(?<sign>[-+])(?<octal>[0-7]+))$/.exec(text);
  const groups = match?.groups;
  if (groups === undefined) return undefined;
  const { sign, decimal, hex, octal, binary } = groups;
  const size = BigInt(decimal ?? (hex && `0x${hex}`) ?? (octal && `0o${octal}`) ?? `0b${binary}`);
  if (sign === '-') return size <= 2n ** 63n ? -size : undefined;
  return size < (sign === '+' ? 2n ** 63n : 2n ** 64n) ? size : undefined;
}

/** A day, or a moment of one, that exists; year in four digits, the others in one or two. */
function isTime(text: string): boolean {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|( ))(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/.exec(
      text,
    );
  if (match === null) return false;
  const [, year, month, day, space, hour, minute, second, zone] = match;
  if (hour !== undefined && (space === undefined) !== (zone !== undefined)) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day)); // a year below 100 stays as it is
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists && Number(hour ?? 0) < 24 && Number(minute ?? 0) < 60 && Number(second ?? 0) < 60;
}

const formerBooleans = /^(?:[yn]|[YN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;
const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Whether a text stays a text when it is not quoted, for readers of YAML 1.1, too. */
export function isPlainText(text: string): boolean {
  return resolvePlain(text).type === 'text' && !formerBooleans.test(text) && !base60.test(text);
}
