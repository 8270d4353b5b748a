import { unsupported } from './errors.ts';

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

export type Keyslot = {
  readonly slot: number;
  /** False for a slot that holds some other key than the volume's. */
  readonly bound: boolean;
  readonly priority: 'ignore' | 'normal' | 'prefer';
  /** Size of the key that the slot protects. */
  readonly keySizeBits: number;
  /** Cipher of the slot's own area, which need not be the volume's. */
  readonly cipher: string;
  readonly kdf: KeyslotKdf;
};

/** The facts of the JSON area that we use. */
export type HeaderFacts = {
  readonly cipher: string;
  readonly sectorSize: number;
  /** Where the encrypted data begins, in bytes. */
  readonly dataOffset: bigint;
  readonly keyslots: readonly Keyslot[];
  /** Ids of the tokens. */
  readonly tokens: readonly number[];
  /** Activation flags that the header itself carries, in the spelling of the LUKS2 specification (`allow-discards`). */
  readonly persistentFlags: readonly string[];
  /** What a program must know to use the device; not empty during a re-encryption. */
  readonly requirements: readonly string[];
};

// LUKS2 specification 3: 64-bit numbers are strings, ids are member names.
type Json = {
  readonly keyslots: Readonly<Record<string, JsonKeyslot>>;
  readonly tokens: Readonly<Record<string, unknown>>;
  readonly segments: Readonly<Record<string, JsonSegment>>;
  readonly digests: Readonly<Record<string, { keyslots: readonly string[]; segments: readonly string[] }>>;
  readonly config: {
    readonly flags?: readonly string[];
    readonly requirements?: { readonly mandatory?: readonly string[] };
  };
};
type JsonKeyslot = {
  readonly key_size: number;
  readonly area: { readonly encryption: string };
  readonly priority?: number;
  readonly kdf: {
    readonly type: string;
    readonly hash?: string;
    readonly iterations?: number;
    readonly time?: number;
    readonly memory?: number;
    readonly cpus?: number;
  };
};
type JsonSegment = {
  readonly type: string;
  readonly offset: string;
  readonly encryption?: string;
  readonly sector_size?: number;
};

/** Reads the JSON area that libcryptsetup has loaded and checked. Refuses a volume that is not one encrypted segment. */
export function parseHeaderJson(device: string, text: string): HeaderFacts {
  const json = JSON.parse(text) as Json;
  const segments = Object.entries(json.segments);
  const [first] = segments;
  if (first === undefined || segments.length !== 1 || first[1].type !== 'crypt') {
    throw unsupported(device, 'the header does not describe exactly one encrypted segment');
  }
  const [segmentId, segment] = first;
  const bound = new Set(
    Object.values(json.digests)
      .filter((digest) => digest.segments.includes(segmentId))
      .flatMap((digest) => digest.keyslots),
  );
  return {
    cipher: segment.encryption ?? '',
    sectorSize: segment.sector_size ?? 512,
    dataOffset: BigInt(segment.offset),
    keyslots: Object.entries(json.keyslots)
      .map(([id, keyslot]) => readKeyslot(Number(id), keyslot, bound.has(id)))
      .sort((a, b) => a.slot - b.slot),
    tokens: Object.keys(json.tokens)
      .map(Number)
      .sort((a, b) => a - b),
    persistentFlags: json.config.flags ?? [],
    requirements: json.config.requirements?.mandatory ?? [],
  };
}

const priorities = ['ignore', 'normal', 'prefer'] as const;

function readKeyslot(slot: number, keyslot: JsonKeyslot, bound: boolean): Keyslot {
  const { kdf } = keyslot;
  return {
    slot,
    bound,
    priority: priorities[keyslot.priority ?? 1] ?? 'normal',
    keySizeBits: keyslot.key_size * 8,
    cipher: keyslot.area.encryption,
    kdf: {
      type: kdf.type,
      iterations: kdf.time ?? kdf.iterations ?? 0,
      ...(kdf.memory === undefined ? {} : { memoryKib: kdf.memory }),
      ...(kdf.cpus === undefined ? {} : { parallel: kdf.cpus }),
      ...(kdf.hash === undefined ? {} : { hash: kdf.hash }),
    },
  };
}
