import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** Bytes of a size such as `10MB`, `64KiB` or `1000000`. For flags: throws commander's `InvalidArgumentError`. */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([kKMG]i?)?B?$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  const bytes = Math.round(Number(match?.[1]) * (unit ?? Number.NaN));
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new InvalidArgumentError('Expected a size like 10MB, 64KiB or 1000000.');
}
