import type { TokenJson } from '@nodecore/luks';

import { KeysError } from '../errors.ts';

/** LUKS2 has keyslots and tokens 0 to 31. */
export const slots = 32;

/** No field of a token that we know comes near: a header's JSON area has 12 KiB by default, 4 MiB at most. */
const longestText = 64 << 10;

/**
 * Reads the fields of a token, which is untrusted input. A field of another form throws `ERR_KEYS_TOKEN_INVALID`, which
 * names the token's type and the field.
 */
export class Fields {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #what: string;

  constructor(json: unknown, what: string) {
    this.#what = what;
    if (!isRecord(json)) throw this.invalid('it', 'is not an object');
    this.#json = json;
  }

  /** False for what is inherited: `constructor` is not a field. */
  has(name: string): boolean {
    return Object.hasOwn(this.#json, name) && this.#json[name] !== null;
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#json, name) ? this.#json[name] : undefined;
  }

  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string' || value.length > longestText) throw this.invalid(name, 'is not a text');
    return value;
  }

  /** One of the texts. */
  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.text(name);
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw this.invalid(name, `is not one of ${choices.join(', ')}`);
    return choice;
  }

  boolean(name: string): boolean {
    const value = this.get(name);
    if (typeof value !== 'boolean') throw this.invalid(name, 'is neither true nor false');
    return value;
  }

  integer(name: string, below: number): number {
    const value = this.get(name);
    if (!isIntegerBelow(value, below)) throw this.invalid(name, `is not a number from 0 to ${below - 1}`);
    return value;
  }

  /** Numbers in ascending order, each once. */
  integers(name: string, below: number): readonly number[] {
    const value = this.get(name);
    if (!Array.isArray(value) || value.length > 1024) throw this.invalid(name, 'is not a list of numbers');
    const numbers = value.filter((one): one is number => isIntegerBelow(one, below));
    if (numbers.length !== value.length)
      throw this.invalid(name, `has more than numbers from 0 to ${below - 1}`);
    return [...new Set(numbers)].sort((a, b) => a - b);
  }

  /** At most this many texts. */
  texts(name: string, limit: number): readonly string[] {
    const value = this.get(name);
    if (!Array.isArray(value) || value.length > limit) throw this.invalid(name, 'is not a list of texts');
    const texts = value.filter((one): one is string => typeof one === 'string');
    if (texts.length !== value.length) throw this.invalid(name, 'has more than texts');
    return texts;
  }

  /** Standard base64, of at least one byte. */
  base64(name: string): Buffer {
    const text = this.text(name);
    const bytes = Buffer.from(text, 'base64');
    // Node.js skips what is no base64. Writing it again shows whether there was such a thing; padding may be left out.
    if (bytes.length === 0 || stripped(bytes.toString('base64')) !== stripped(text)) {
      throw this.invalid(name, 'is not base64');
    }
    return bytes;
  }

  /** Hexadecimal, of at least one byte. */
  hex(name: string): Buffer {
    const text = this.text(name);
    const bytes = Buffer.from(text, 'hex');
    if (bytes.length === 0 || bytes.length * 2 !== text.length)
      throw this.invalid(name, 'is not hexadecimal');
    return bytes;
  }

  object(name: string): Fields {
    return new Fields(this.get(name), `${this.#what}, field ${name}`);
  }

  invalid(name: string, problem: string): KeysError {
    return new KeysError('ERR_KEYS_TOKEN_INVALID', `${this.#what}: ${name} ${problem}`);
  }
}

function stripped(base64: string): string {
  return base64.replace(/=+$/, '');
}

/** False for null and for lists. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIntegerBelow(value: unknown, below: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < below;
}

/** Keyslots that a token is assigned to, ascending; what is no keyslot is left out. */
export function keyslotsOf({ keyslots }: TokenJson): readonly number[] {
  if (!Array.isArray(keyslots)) return [];
  return (keyslots as readonly unknown[])
    .filter((text): text is string => typeof text === 'string' && /^\d{1,2}$/.test(text))
    .map(Number)
    .filter((slot) => slot < slots)
    .sort((a, b) => a - b);
}

/** The same token, assigned to these keyslots. */
export function assigned(token: TokenJson, slots: readonly number[]): TokenJson {
  return { ...token, keyslots: [...slots].sort((a, b) => a - b).map(String) };
}
