import { asCount32, asDigits64, asInteger, asList, asName, asRecord, ShapeError } from './json-shape.ts';

type Json = Readonly<Record<string, unknown>>;

/** Requirements that say a re-encryption is under way, also in a way of later versions. */
export const namedReencryption: RegExp = /^online-reencrypt(-v[0-9]+)?$/;
/** Those that the library does itself. */
export const knownReencryption: RegExp = /^online-reencrypt(-v[23])?$/;

/** LUKS2 specification 3.2, for the two types of keyslots that the library knows. Others are left alone. */
export function checkKeyslotKinds(json: Json, requirements: readonly string[]): void {
  let reencryptions = 0;
  for (const [id, value] of Object.entries(asRecord(json['keyslots'], 'keyslots'))) {
    const keyslot = asRecord(value, `keyslots.${id}`);
    if (keyslot['type'] === 'luks2') {
      checkLuks2(`keyslots.${id}`, keyslot);
      const count = digestsOf(json, id);
      if (count !== 1) throw new ShapeError(`keyslots.${id} has ${count} digests in place of one`);
    } else if (keyslot['type'] === 'reencrypt') {
      checkReencrypt(`keyslots.${id}`, keyslot);
      reencryptions += 1;
    }
  }
  const isRequired = requirements.some((name) => knownReencryption.test(name));
  const isNamed = requirements.some((name) => namedReencryption.test(name));
  if (isRequired && reencryptions === 0) throw new ShapeError('keyslots has none for the re-encryption');
  if (reencryptions > 0 && !isNamed)
    throw new ShapeError('config.requirements does not name the re-encryption');
  if (reencryptions > 1) throw new ShapeError('keyslots has more than one re-encryption');
}

function digestsOf(json: Json, id: string): number {
  return Object.values(asRecord(json['digests'], 'digests')).filter((digest) =>
    asList(asRecord(digest, 'digest')['keyslots'], 'digest.keyslots').includes(id),
  ).length;
}

/** Members of a key derivation. What others there are the library leaves out as it loads. */
const derivations: Readonly<Record<string, Readonly<Record<string, typeof asName | typeof asInteger>>>> = {
  pbkdf2: { hash: asName, iterations: asInteger, salt: asName },
  argon2i: { time: asInteger, memory: asInteger, cpus: asInteger, salt: asName },
  argon2id: { time: asInteger, memory: asInteger, cpus: asInteger, salt: asName },
};

function checkLuks2(where: string, keyslot: Json): void {
  const kdf = asRecord(keyslot['kdf'], `${where}.kdf`);
  const af = asRecord(keyslot['af'], `${where}.af`);
  const area = asRecord(keyslot['area'], `${where}.area`);
  const type = asName(kdf['type'], `${where}.kdf.type`);
  const members = Object.hasOwn(derivations, type) ? derivations[type] : undefined;
  if (members !== undefined) {
    for (const [name, read] of Object.entries(members)) read(kdf[name], `${where}.kdf.${name}`);
  }
  if (asName(af['type'], `${where}.af.type`) !== 'luks1') throw new ShapeError(`${where}.af.type is none`);
  asName(af['hash'], `${where}.af.hash`);
  asInteger(af['stripes'], `${where}.af.stripes`);
  if (asName(area['type'], `${where}.area.type`) !== 'raw') {
    throw new ShapeError(`${where}.area.type is none of a key`);
  }
  asName(area['encryption'], `${where}.area.encryption`);
  asInteger(area['key_size'], `${where}.area.key_size`);
}

function checkReencrypt(where: string, keyslot: Json): void {
  const area = asRecord(keyslot['area'], `${where}.area`);
  const type = asName(area['type'], `${where}.area.type`);
  const oneOf = (name: string, words: readonly string[]): void => {
    if (!words.includes(asName(keyslot[name], `${where}.${name}`)))
      throw new ShapeError(`${where}.${name} is none`);
  };
  if (asCount32(keyslot['key_size'], `${where}.key_size`) !== 1)
    throw new ShapeError(`${where}.key_size is not 1`);
  oneOf('mode', ['encrypt', 'reencrypt', 'decrypt']);
  oneOf('direction', ['forward', 'backward']);
  if (type.endsWith('checksum')) {
    asName(area['hash'], `${where}.area.hash`);
    const sectorSize = asCount32(area['sector_size'], `${where}.area.sector_size`);
    const isPower = sectorSize >= 512 && Number.isInteger(Math.log2(sectorSize));
    if (!isPower) throw new ShapeError(`${where}.area.sector_size is none`);
  } else if (type.startsWith('datashift')) {
    const shift = asDigits64(area['shift_size'], `${where}.area.shift_size`);
    if (shift === 0n || shift % 512n !== 0n) throw new ShapeError(`${where}.area.shift_size is none`);
  }
}
