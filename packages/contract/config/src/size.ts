import { ConfigError } from './errors.ts';

/** A size as a document has it: bytes or a share of what is available, both possibly negative ("leave this free"). */
export type Size =
  | { readonly kind: 'bytes'; readonly bytes: bigint; readonly negative: boolean; readonly text: string }
  | {
      readonly kind: 'percent';
      /** Whole, so that no fraction is ever lost: `12.5%` has 125. */
      readonly digits: bigint;
      /** How many of the digits are behind the point. */
      readonly decimals: number;
      readonly negative: boolean;
      readonly text: string;
    };

/** Why a text is no size. `code` ends a problem's code: `size.<code>`. */
export type SizeMistake = { readonly code: 'invalid' | 'overflow' | 'percent'; readonly message: string };

const largestBytes = (1n << 64n) - 1n;
/** The longest exact text is far shorter; bounds the work that a malicious number can cause. */
const longestText = 80;
/** 10^-18 percent is less than a byte of any device. */
const maxDecimals = 18;
const prefixes = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** What 100 % is in the last decimal. */
function wholeOf(decimals: number): bigint {
  return 100n * 10n ** BigInt(decimals);
}

/** Bytes of a unit in lower case, or undefined. `k` and `kb` are 1000, `ki` and `kib` 1024. */
function unitBytes(unit: string): bigint | undefined {
  const parts = /^(?<prefix>[kmgtpe]?)(?<binary>i?)b?$/u.exec(unit)?.groups;
  if (parts === undefined) return undefined;
  const power = prefixes.indexOf(parts['prefix'] ?? '');
  if (parts['binary'] === '') return 1000n ** BigInt(power);
  return power === 0 ? undefined : 1024n ** BigInt(power);
}

/**
 * Reads `50GiB`, `1.5 TB`, `-10GiB`, `80%`, `-12.125%`. Exact: decimal fractions are multiplied as integers, then
 * truncated to whole bytes.
 */
export function parseSize(text: string): Size | SizeMistake {
  const trimmed = text.trim();
  if (trimmed.length > longestText)
    return { code: 'invalid', message: `longer than ${longestText} characters` };
  return trimmed.includes('%') ? parsePercent(trimmed, text) : parseBytes(trimmed, text);
}

/** Tells the result of {@link parseSize} apart: of the two only a mistake has a `code`. */
export function isSizeMistake(size: Size | SizeMistake): size is SizeMistake {
  return 'code' in size;
}

function parseBytes(trimmed: string, text: string): Size | SizeMistake {
  const parts =
    /^(?<sign>-?)(?<whole>\d+|\d{1,3}(?:,\d{3})+)(?:\.(?<fraction>\d+))? *(?<unit>[a-z]*)$/iu.exec(
      trimmed,
    )?.groups;
  const unit = parts === undefined ? undefined : unitBytes((parts['unit'] ?? '').toLowerCase());
  if (parts === undefined || unit === undefined) {
    return { code: 'invalid', message: 'not a size; write a number and a unit, such as 50GiB or 500MB' };
  }
  const fraction = parts['fraction'] ?? '';
  const digits = BigInt((parts['whole'] ?? '').replaceAll(',', '') + fraction);
  const bytes = (digits * unit) / 10n ** BigInt(fraction.length);
  if (bytes > largestBytes) return { code: 'overflow', message: 'larger than 2^64 - 1 bytes' };
  return { kind: 'bytes', bytes, negative: parts['sign'] === '-', text };
}

function parsePercent(trimmed: string, text: string): Size | SizeMistake {
  const parts = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?%$/u.exec(trimmed)?.groups;
  if (parts === undefined)
    return { code: 'percent', message: 'not a percentage; write a number and %, such as 80%' };
  const fraction = (parts['fraction'] ?? '').replace(/0+$/u, '');
  const decimals = fraction.length;
  if (decimals > maxDecimals)
    return {
      code: 'percent',
      message: `a percentage has at most ${maxDecimals} decimals: it is never rounded`,
    };
  const digits = BigInt((parts['whole'] ?? '') + fraction);
  if (digits > wholeOf(decimals)) return { code: 'percent', message: 'a percentage is between 0 and 100' };
  return { kind: 'percent', digits, decimals, negative: parts['sign'] === '-', text };
}

/**
 * How large a volume becomes. Creating and growing both ask here, so that a limit means the same in both.
 *
 * @param available bytes that the volume could have: the largest free range when it is created; when it grows, its
 *   present size and the free range directly after it.
 * @throws {ConfigError} `ERR_CONFIG_SIZE` when the result would be below `minSize` or zero.
 */
export function resolveSize(available: bigint, minSize?: bigint, maxSize?: Size): bigint {
  const size = maxSize === undefined ? available : limit(available, maxSize);
  const rule =
    maxSize === undefined ? '' : `, of which maxSize ${maxSize.text} gives ${size > 0n ? size : 0n}`;
  if (size <= 0n) {
    throw new ConfigError('ERR_CONFIG_SIZE', `nothing is left: ${available} bytes available${rule}`);
  }
  if (minSize !== undefined && size < minSize) {
    throw new ConfigError('ERR_CONFIG_SIZE', `minSize is ${minSize} bytes: ${available} available${rule}`);
  }
  return size;
}

function limit(available: bigint, maxSize: Size): bigint {
  if (maxSize.kind === 'percent') {
    const { negative, digits, decimals } = maxSize;
    const whole = wholeOf(decimals);
    return (available * (negative ? whole - digits : digits)) / whole;
  }
  if (maxSize.negative) return available - maxSize.bytes;
  return maxSize.bytes < available ? maxSize.bytes : available;
}

/** Whether a limit is zero, or leaves zero bytes of any space: `0`, `0%`, `-100%`. */
export function isNothing(size: Size): boolean {
  if (size.kind === 'bytes') return size.bytes === 0n;
  return size.digits === 0n || (size.negative && size.digits === wholeOf(size.decimals));
}
