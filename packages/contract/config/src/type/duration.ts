import { durationMistake, durationPattern, parseDuration } from '../duration.ts';
import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A duration as it was written, and what it comes to. */
export type Duration = { readonly text: string; readonly ms: number };

export type DurationOptions = {
  /** Shortest and longest, written as durations; a duration is never negative. */
  readonly least?: string;
  readonly most?: string;
  /** Only multiples of a second. */
  readonly whole?: boolean;
};

/** A duration in Go's form: `1h30m`, `500ms`, `0`. */
export function duration({ least, most, whole = false }: DurationOptions = {}): Type<Duration> {
  let limits: ReturnType<typeof parseDuration>[] | undefined;
  return parsed('a duration', {
    literal: true, // YAML reads a bare 0 as a number
    json: { pattern: durationPattern, type: ['string', 'integer'], maximum: 0 },
    parse: (text) => {
      const nanos = parseDuration(text);
      if (typeof nanos === 'string') return durationMistake(nanos);
      // With the first that is read: hardly any program reads one of every kind.
      const [from, to] = (limits ??= [least ?? '0', most ?? ''].map((limit) => parseDuration(limit)));
      if (typeof from === 'bigint' && nanos < from)
        return new Mistake('duration.range', `must be at least ${least}`);
      if (typeof to === 'bigint' && nanos > to)
        return new Mistake('duration.range', `must be at most ${most}`);
      if (whole && nanos % 1_000_000_000n !== 0n)
        return new Mistake('duration.whole', 'must be whole seconds');
      return { text, ms: Number(nanos / 1_000_000n) };
    },
  });
}
