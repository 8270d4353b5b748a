import type { Cipher } from './cipher.ts';
import { LuksError } from './errors.ts';

/** What the owner of a volume knows of its header. What is left out may be anything that volumes may have. */
export type Expectation = {
  readonly cipher?: Cipher;
  /** Size of the volume key. */
  readonly keySizeBits?: number;
  readonly sectorSize?: number;
  readonly uuid?: string;
  readonly label?: string;
};

/** The same of the header that is there. */
type Facts = Readonly<Record<keyof Expectation, string | number>>;

/** @throws {LuksError} `ERR_LUKS_MISMATCH`, with every difference in its message. */
export function refuseUnexpected(device: string, facts: Facts, expected: Expectation): void {
  const differences = (Object.keys(expected) as (keyof Expectation)[])
    .filter((name) => expected[name] !== undefined && expected[name] !== facts[name])
    .map((name) => `${words[name]} ${facts[name]} in place of ${expected[name]}`);
  if (differences.length === 0) return;
  throw new LuksError('ERR_LUKS_MISMATCH', device, '', `${device}: the header has ${differences.join(', ')}`);
}

const words: Readonly<Record<keyof Expectation, string>> = {
  cipher: 'cipher',
  keySizeBits: 'key size',
  sectorSize: 'sector size',
  uuid: 'UUID',
  label: 'label',
};
