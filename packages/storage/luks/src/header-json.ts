import { parseBoundedJson } from './bounded-json.ts';
import { unsupported } from './errors.ts';
import {
  asCount,
  asDecimal,
  asIds,
  asList,
  asRecord,
  asText,
  asTexts,
  idOf,
  ShapeError,
} from './json-shape.ts';
import { keyslotLimit, readTokens, type Token } from './token-json.ts';

/** How a keyslot turns a passphrase into its key. */
export type KeyslotKdf = {
  readonly type: string;
  /** Passes over the memory (argon2) or iterations (pbkdf2). */
  readonly iterations: number;
  /** Memory that an unlock needs; undefined for pbkdf2. */
  readonly memoryKib?: number;
  /** Threads that an unlock uses; undefined for pbkdf2. */
  readonly parallel?: number;
  /** Hash of pbkdf2; undefined for argon2. */
  readonly hash?: string;
};

export type KeyslotPriority = 'ignore' | 'normal' | 'prefer';

export type Keyslot = {
  readonly slot: number;
  /** False for a slot that holds some other key than the volume's. */
  readonly bound: boolean;
  readonly priority: KeyslotPriority;
  /** Size of the key that the slot protects. */
  readonly keySizeBits: number;
  /** Cipher of the slot's own area, which need not be the volume's. */
  readonly cipher: string;
  readonly kdf: KeyslotKdf;
};

/** Where a keyslot keeps its key, and what kind of keyslot it is. */
export type KeyslotArea = {
  readonly slot: number;
  readonly slotType: string;
  readonly areaType: string;
  readonly offset: bigint;
  readonly sizeBytes: bigint;
};

/** The facts of the JSON area that we use. */
export type HeaderFacts = {
  readonly cipher: string;
  readonly sectorSize: number;
  /** Where the encrypted data begins, in bytes. */
  readonly dataOffset: bigint;
  /** How much is encrypted; undefined for all that follows the offset. */
  readonly dataSizeBytes: bigint | undefined;
  readonly segmentId: string;
  readonly segmentFlags: readonly string[];
  readonly integrity: boolean;
  readonly keyslots: readonly Keyslot[];
  readonly areas: readonly KeyslotArea[];
  readonly digests: readonly Digest[];
  readonly tokens: readonly Token[];
  /** Activation flags that the header itself carries, in the spelling of the LUKS2 specification (`allow-discards`). */
  readonly persistentFlags: readonly string[];
  /** What a program must know to use the device; not empty during a re-encryption. */
  readonly requirements: readonly string[];
  /** Room for the JSON text of one copy. */
  readonly jsonSizeBytes: bigint;
  /** Room for all keyslots together, after the copies. */
  readonly keyslotsSizeBytes: bigint;
};

/** How a volume key is recognised. A digest with salt: the same value means the same volume key. */
export type Digest = { readonly type: string; readonly value: string; readonly bound: boolean };

/**
 * Reads the JSON area of a header. Every member that is used is checked: the text may come from our own reader, not
 * from the library.
 *
 * @throws {LuksError} `ERR_LUKS_UNSUPPORTED` for a volume that is not one encrypted segment, and for what is no LUKS2 JSON.
 */
export function parseHeaderJson(device: string, text: string): HeaderFacts {
  try {
    return readFacts(device, asRecord(parseBoundedJson(text), 'header'));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) {
      throw unsupported(device, `a header of another form: ${error.message}`);
    }
    throw error;
  }
}

/** What a program must know to use the device, also of a header that is none of ours; empty where nothing can be read. */
export function requirementsOf(text: string): readonly string[] {
  try {
    const { config } = asRecord(parseBoundedJson(text), 'header');
    return readRequirements(asRecord(config, 'config')['requirements']);
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return [];
    throw error;
  }
}

function readFacts(device: string, json: Readonly<Record<string, unknown>>): HeaderFacts {
  const segments = Object.entries(asRecord(json['segments'], 'segments'));
  const [first] = segments;
  const segment = asRecord(first?.[1] ?? {}, 'segment');
  if (first === undefined || segments.length !== 1 || segment['type'] !== 'crypt') {
    throw unsupported(device, 'the header does not describe exactly one encrypted segment');
  }
  const [segmentId] = first;
  const digests = asIds(json['digests'], 'digests', keyslotLimit).map(([id, digest]) =>
    readDigest(`digests.${id}`, digest, segmentId),
  );
  const bound = new Set(digests.filter((digest) => digest.bound).flatMap((digest) => digest.keyslots));
  const slots = asIds(json['keyslots'], 'keyslots', keyslotLimit);
  const config = asRecord(json['config'], 'config');
  const size = asText(segment['size'], 'segment.size');
  return {
    cipher: segment['encryption'] === undefined ? '' : asText(segment['encryption'], 'segment.encryption'),
    sectorSize: segment['sector_size'] === undefined ? 512 : asCount(segment['sector_size'], 'sector_size'),
    dataOffset: asDecimal(segment['offset'], 'segment.offset'),
    dataSizeBytes: size === 'dynamic' ? undefined : asDecimal(size, 'segment.size'),
    segmentId,
    segmentFlags: segment['flags'] === undefined ? [] : asTexts(segment['flags'], 'segment.flags'),
    integrity: segment['integrity'] !== undefined,
    keyslots: slots.map(([slot, keyslot]) => readKeyslot(device, slot, keyslot, bound.has(slot))),
    areas: slots.map(([slot, keyslot]) => readArea(slot, keyslot)),
    digests,
    tokens: readTokens(json['tokens']),
    persistentFlags: config['flags'] === undefined ? [] : asTexts(config['flags'], 'config.flags'),
    requirements: readRequirements(config['requirements']),
    jsonSizeBytes: asDecimal(config['json_size'], 'config.json_size'),
    keyslotsSizeBytes: asDecimal(config['keyslots_size'], 'config.keyslots_size'),
  };
}

/** An older form of the specification had a list of texts in place of the object. Whatever is in it is a requirement. */
function readRequirements(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return asTexts(value, 'config.requirements');
  const { mandatory } = asRecord(value, 'config.requirements');
  return mandatory === undefined ? [] : asTexts(mandatory, 'config.requirements.mandatory');
}

function readDigest(where: string, value: unknown, segmentId: string): Digest & { keyslots: number[] } {
  const digest = asRecord(value, where);
  return {
    type: asText(digest['type'], `${where}.type`),
    value: `${asText(digest['salt'], `${where}.salt`)}:${asText(digest['digest'], `${where}.digest`)}`,
    bound: asList(digest['segments'], `${where}.segments`).includes(segmentId),
    keyslots: asTexts(digest['keyslots'], `${where}.keyslots`).map((slot) => idOf(slot, where, keyslotLimit)),
  };
}

const priorities = ['ignore', 'normal', 'prefer'] as const;

function readKeyslot(device: string, slot: number, value: unknown, bound: boolean): Keyslot {
  const where = `keyslots.${slot}`;
  const keyslot = asRecord(value, where);
  // A keyslot of a running re-encryption has no key derivation.
  if (keyslot['type'] !== 'luks2') throw unsupported(device, `keyslot ${slot} is not of the type luks2`);
  const area = asRecord(keyslot['area'], `${where}.area`);
  const kdf = asRecord(keyslot['kdf'], `${where}.kdf`);
  const count = (name: string): number | undefined =>
    kdf[name] === undefined ? undefined : asCount(kdf[name], `${where}.kdf.${name}`);
  const memoryKib = count('memory');
  const parallel = count('cpus');
  const priority = keyslot['priority'] === undefined ? 1 : asCount(keyslot['priority'], `${where}.priority`);
  return {
    slot,
    bound,
    priority: priorities[priority] ?? 'normal',
    keySizeBits: asCount(keyslot['key_size'], `${where}.key_size`) * 8,
    cipher: asText(area['encryption'], `${where}.area.encryption`),
    kdf: {
      type: asText(kdf['type'], `${where}.kdf.type`),
      iterations: count('time') ?? count('iterations') ?? 0,
      ...(memoryKib === undefined ? {} : { memoryKib }),
      ...(parallel === undefined ? {} : { parallel }),
      ...(kdf['hash'] === undefined ? {} : { hash: asText(kdf['hash'], `${where}.kdf.hash`) }),
    },
  };
}

function readArea(slot: number, value: unknown): KeyslotArea {
  const where = `keyslots.${slot}`;
  const keyslot = asRecord(value, where);
  const area = asRecord(keyslot['area'], `${where}.area`);
  return {
    slot,
    slotType: asText(keyslot['type'], `${where}.type`),
    areaType: asText(area['type'], `${where}.area.type`),
    offset: asDecimal(area['offset'], `${where}.area.offset`),
    sizeBytes: asDecimal(area['size'], `${where}.area.size`),
  };
}
