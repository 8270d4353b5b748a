import { ImageError } from '../errors.ts';

/** The directory entries of one file: its long name, and the short one behind it. */
export type FatName = { readonly long: readonly Buffer[]; readonly short: Buffer };

const entrySizeBytes = 32;
const charactersPerEntry = 13;
/** Where a long entry has its characters. */
const places = [1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30] as const;
const shortCharacters = /^[A-Z0-9!#$%&'()@^_`{}~-]+$/;

/**
 * Names in one directory, in the order in which they are asked for: short ones must differ, so each depends on those
 * before it.
 */
export class FatNames {
  /** All of the directory, in upper case: a short name that is made up must be none of them. */
  readonly #all: ReadonlySet<string>;
  readonly #names = new Set<string>();
  readonly #shorts = new Set<string>();

  constructor(names: Iterable<string>) {
    this.#all = new Set([...names].map((name) => name.toUpperCase()));
  }

  /** @throws {ImageError} `ERR_IMAGE_NAME` for what FAT can't name, or has already: it does not tell `a` from `A`. */
  add(name: string): FatName {
    const isValid = /^[ -~]{1,255}$/.test(name) && !/["*/:<>?\\|]|[. ]$/.test(name);
    if (!isValid || this.#names.has(name.toLowerCase())) {
      throw new ImageError('ERR_IMAGE_NAME', `FAT can't have ${JSON.stringify(name)}, or has it already`);
    }
    this.#names.add(name.toLowerCase());
    const short = this.#shortOf(name);
    this.#shorts.add(short);
    const bytes = Buffer.from(short, 'latin1');
    return { short: bytes, long: plainOf(short) === name ? [] : longEntries(name, bytes) };
  }

  /** 11 characters: the name itself when that is one of DOS, else its beginning and a number. */
  #shortOf(name: string): string {
    const dot = name.lastIndexOf('.');
    const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ''];
    const padded = (first: string): string => `${first.padEnd(8)}${cleaned(extension).slice(0, 3).padEnd(3)}`;
    const isShort =
      base.length <= 8 &&
      extension.length <= 3 &&
      shortCharacters.test(base) &&
      (extension === '' || shortCharacters.test(extension));
    if (isShort && !this.#shorts.has(padded(base))) return padded(base);
    for (let number = 1; number < 1e6; number++) {
      const tail = `~${number}`;
      const short = padded(`${cleaned(base).slice(0, 8 - tail.length)}${tail}`);
      if (!this.#shorts.has(short) && !this.#all.has(plainOf(short))) return short;
    }
    throw new ImageError('ERR_IMAGE_NAME', `no short name is left for ${name}`);
  }
}

/** As people write it: `LOADER~1.CON`. */
function plainOf(short: string): string {
  return `${short.slice(0, 8).trimEnd()}.${short.slice(8).trimEnd()}`.replace(/\.$/, '');
}

function cleaned(text: string): string {
  return text
    .toUpperCase()
    .replace(/[ .]/g, '')
    .replace(/[^A-Z0-9!#$%&'()@^_`{}~-]/g, '_');
}

/** Long entries lie before the short one, the last part of the name first. */
function longEntries(name: string, short: Buffer): readonly Buffer[] {
  let sum = 0;
  for (const byte of short) sum = (((sum & 1) << 7) + (sum >> 1) + byte) & 0xff;
  const count = Math.ceil(name.length / charactersPerEntry);
  return Array.from({ length: count }, (_, index) => {
    const number = count - index;
    const entry = Buffer.alloc(entrySizeBytes);
    entry.writeUInt8(index === 0 ? number | 0x40 : number, 0);
    entry.writeUInt8(0x0f, 11);
    entry.writeUInt8(sum, 13);
    for (const [place, offset] of places.entries()) {
      const position = (number - 1) * charactersPerEntry + place;
      // One zero ends a name that does not fill its last entry; the rest is ones.
      const end = position === name.length ? 0 : 0xffff;
      entry.writeUInt16LE(position < name.length ? name.charCodeAt(position) : end, offset);
    }
    return entry;
  });
}
