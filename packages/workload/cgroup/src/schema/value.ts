import { humanBytes, humanDuration } from './human.ts';

const numeric = /^(-?)(\d{1,40})(?:\.(\d{1,10}))?$/;

/**
 * A number of a control file: absent, `max`, or decimal digits with as many decimals as the kernel gave it. Exact at any
 * size.
 */
export class Value {
  static readonly unset: Value = new Value('unset', 0n, 0);
  static readonly max: Value = new Value('max', 0n, 0);

  readonly kind: 'unset' | 'max' | 'number';
  /** The digits without the point. */
  readonly digits: bigint;
  /** How many of them stand behind the point. */
  readonly decimals: number;

  private constructor(kind: 'unset' | 'max' | 'number', digits: bigint, decimals: number) {
    this.kind = kind;
    this.digits = digits;
    this.decimals = decimals;
  }

  static of(digits: bigint, decimals = 0): Value {
    return new Value('number', digits, decimals);
  }

  /** Unset, too, for what is no number. */
  static parse(text: string): Value {
    if (text === 'max') return Value.max;
    const [, sign = '', whole, fraction = ''] = numeric.exec(text) ?? [];
    if (whole === undefined) return Value.unset;
    const digits = BigInt(whole + fraction);
    return Value.of(sign === '-' ? -digits : digits, fraction.length);
  }

  /** `unset`, `max`, or the number as it was. */
  text(): string {
    if (this.kind !== 'number') return this.kind;
    if (this.decimals === 0) return String(this.digits);
    const sign = this.digits < 0n ? '-' : '';
    const digits = String(sign === '' ? this.digits : -this.digits).padStart(this.decimals + 1, '0');
    return `${sign}${digits.slice(0, -this.decimals)}.${digits.slice(-this.decimals)}`;
  }

  /** NaN when unset, Infinity for `max`. */
  number(): number {
    if (this.kind === 'unset') return Number.NaN;
    return this.kind === 'max' ? Infinity : Number(this.digits) / 10 ** this.decimals;
  }

  /** `1.5 MiB`; what is no whole number as `text`. */
  humanizeIBytes(): string {
    const whole = this.kind === 'number' && this.decimals === 0 && this.digits >= 0n;
    return whole ? humanBytes(this.digits) : this.text();
  }

  /** Microseconds as `1h2m3.4s`; what is no whole number as `text`. */
  usecToDuration(): string {
    return this.kind === 'number' && this.decimals === 0 ? humanDuration(this.digits) : this.text();
  }

  /** Percent of `other`, with two decimals. */
  divideBy(other: Value): Value {
    if (this.kind === 'unset' || other.kind === 'unset') return Value.unset;
    if (other.kind === 'max') return Value.of(this.kind === 'max' ? 10_000n : 0n, 2);
    if (this.kind === 'max' || other.digits === 0n) return Value.max;
    // digits / 10^decimals on both sides, times 100 %, times 100 for two decimals.
    const above = this.digits * 10n ** BigInt(other.decimals) * 10_000n;
    const below = other.digits * 10n ** BigInt(this.decimals);
    return Value.of(roundedQuotient(above, below), 2);
  }
}

/** Halves away from zero. */
function roundedQuotient(above: bigint, below: bigint): bigint {
  const negative = above < 0n !== below < 0n;
  const [a, b] = [above < 0n ? -above : above, below < 0n ? -below : below];
  const quotient = (2n * a + b) / (2n * b);
  return negative ? -quotient : quotient;
}
