/**
 * What the JSON area of a LUKS2 header must say so that libcryptsetup loads it: LUKS2 on-disk format specification, 3, and
 * what the library checks beyond it. A header of a running re-encryption is valid, too: whether we would open a header is
 * another question (`header-trust.ts`).
 */
import { parseBoundedJson } from './bounded-json.ts';
import { blockBytes, copySizes } from './header-copy.ts';
import { checkKeyslotKinds, namedReencryption } from './header-rules-keyslot.ts';
import { checkSegments, isBackup } from './header-rules-segment.ts';
import { asCount32, asName, asNumbered, asRecord, asTexts, asDigits64, ShapeError } from './json-shape.ts';

type Json = Readonly<Record<string, unknown>>;

const maxKeyslotBytes = 128n << 20n;

/**
 * Why the library does not load a header whose checksum is right.
 *
 * @param sizeBytes of the copy, as its block has it.
 * @returns undefined for a header that it loads.
 */
export function whyInvalid(text: string, sizeBytes: number): string | undefined {
  try {
    const json = asRecord(parseBoundedJson(text), 'header');
    const config = asRecord(json['config'], 'config');
    const keyslots = asRecord(json['keyslots'], 'keyslots');
    const requirements = checkRequirements(config);
    checkReferences(json, keyslots);
    checkSegments(json, requirements);
    for (const [id, value] of asNumbered(keyslots, 'keyslots')) {
      const keyslot = asRecord(value, `keyslots.${id}`);
      asName(keyslot['type'], `keyslots.${id}.type`);
      asCount32(keyslot['key_size'], `keyslots.${id}.key_size`);
    }
    const areas = checkConfig(json, config, sizeBytes);
    checkAreas(keyslots, areas);
    checkKeyslotKinds(json, requirements);
    return undefined;
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Where the keyslots of a valid header end. */
export function keyslotsEnd(text: string, sizeBytes: number): bigint {
  const config = asRecord(asRecord(parseBoundedJson(text), 'header')['config'], 'config');
  return 2n * BigInt(sizeBytes) + asDigits64(config['keyslots_size'], 'config.keyslots_size');
}

function checkRequirements(config: Json): readonly string[] {
  if (config['requirements'] === undefined) return [];
  const { mandatory } = asRecord(config['requirements'], 'config.requirements');
  const names = mandatory === undefined ? [] : asTexts(mandatory, 'config.requirements.mandatory');
  if (names.filter((name) => namedReencryption.test(name)).length > 1) {
    throw new ShapeError('config.requirements.mandatory has more than one re-encryption');
  }
  return names;
}

/** Tokens and digests name keyslots and segments that are there. */
function checkReferences(json: Json, keyslots: Json): void {
  const segments = asRecord(json['segments'], 'segments');
  const refers = (where: string, ids: unknown, to: Json): void => {
    for (const id of asTexts(ids, where)) asRecord(to[id], `what ${where} names, ${JSON.stringify(id)},`);
  };
  for (const [section, also] of [
    ['tokens', undefined],
    ['digests', segments],
  ] as const) {
    for (const [id, value] of asNumbered(json[section], section)) {
      const where = `${section}.${id}`;
      const member = asRecord(value, where);
      asName(member['type'], `${where}.type`);
      refers(`${where}.keyslots`, member['keyslots'], keyslots);
      if (also !== undefined) refers(`${where}.segments`, member['segments'], also);
    }
  }
}

/** Where keyslots may lie. */
type Areas = { readonly start: bigint; readonly end: bigint };

function checkConfig(json: Json, config: Json, sizeBytes: number): Areas {
  const copyBytes = asDigits64(config['json_size'], 'config.json_size') + BigInt(blockBytes);
  const keyslotBytes = asDigits64(config['keyslots_size'], 'config.keyslots_size');
  if (!copySizes.some((size) => BigInt(size) === copyBytes)) {
    throw new ShapeError('config.json_size is none of the format');
  }
  if (keyslotBytes % 4096n !== 0n || keyslotBytes > maxKeyslotBytes) {
    throw new ShapeError('config.keyslots_size is none of the format');
  }
  const areas = { start: 2n * copyBytes, end: 2n * copyBytes + keyslotBytes };
  const begins = Object.values(asRecord(json['segments'], 'segments'))
    .map((segment) => asRecord(segment, 'segment'))
    .filter((segment) => !isBackup(segment))
    .map((segment) => asDigits64(segment['offset'], 'segment.offset'));
  // A segment at 0 has its header elsewhere.
  if (!begins.includes(0n) && begins.some((offset) => offset < areas.end)) {
    throw new ShapeError('config.keyslots_size reaches into the data');
  }
  if (config['flags'] !== undefined) asTexts(config['flags'], 'config.flags');
  if (copyBytes !== BigInt(sizeBytes)) throw new ShapeError('config.json_size is not that of its block');
  return areas;
}

/** Keyslots lie in their area, beside one another. */
function checkAreas(keyslots: Json, { start, end }: Areas): void {
  const ranges = Object.entries(keyslots).map(([id, value]) => {
    const where = `keyslots.${id}.area`;
    const area = asRecord(asRecord(value, `keyslots.${id}`)['area'], where);
    asName(area['type'], `${where}.type`);
    const offset = asDigits64(area['offset'], `${where}.offset`);
    const sizeBytes = asDigits64(area['size'], `${where}.size`);
    if (offset < start || sizeBytes === 0n || offset + sizeBytes > end) {
      throw new ShapeError(`${where} does not lie between ${start} and ${end}`);
    }
    return { where, offset, end: offset + sizeBytes };
  });
  for (const one of ranges) {
    const other = ranges.find(
      (range) => range !== one && range.offset <= one.offset && one.offset < range.end,
    );
    if (other !== undefined) throw new ShapeError(`${one.where} overlaps ${other.where}`);
  }
}
