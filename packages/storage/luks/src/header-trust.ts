import { cipherFacts, isCipher } from './cipher.ts';
import { unsupported } from './errors.ts';
import { isHeaderFlag } from './flags.ts';
import type { HeaderFacts } from './header-json.ts';

const derivations: readonly string[] = ['argon2id', 'argon2i', 'pbkdf2'];
const sectorSizes: readonly number[] = [512, 1024, 2048, 4096];

/**
 * Refuses a header that we would not have written. Whoever can write to the disk can replace the header: one with a null
 * cipher would open with any key, and what is written then would be readable; one with a plain segment likewise.
 *
 * Everything is compared with what is allowed; nothing is searched for what is known to be bad.
 *
 * @throws {LuksError} `ERR_LUKS_UNSUPPORTED`
 */
export function refuseForeign(device: string, facts: HeaderFacts): void {
  const refuse = (what: string): never => {
    throw unsupported(device, what);
  };
  const { cipher, requirements, digests } = facts;
  if (requirements.length > 0) refuse(`requirements ${requirements.join(', ')}`);
  if (!isCipher(cipher)) return refuse(`cipher ${cipher}`);
  if (facts.segmentId !== '0') refuse(`segment ${facts.segmentId} in place of 0`);
  if (facts.segmentFlags.length > 0) refuse(`a segment with the flags ${facts.segmentFlags.join(', ')}`);
  if (facts.integrity) refuse('a segment with integrity');
  if (!sectorSizes.includes(facts.sectorSize)) refuse(`a sector size of ${facts.sectorSize} bytes`);
  const unknown = facts.persistentFlags.filter((flag) => !isHeaderFlag(flag));
  if (unknown.length > 0) refuse(`the flags ${unknown.join(', ')}`);
  for (const { type } of digests) if (type !== 'pbkdf2') refuse(`a digest of the type ${type}`);
  if (digests.filter(({ bound }) => bound).length !== 1) refuse('a segment without exactly one digest');
  for (const { slot, slotType, areaType } of facts.areas) {
    if (slotType !== 'luks2' || areaType !== 'raw')
      refuse(`keyslot ${slot} of the type ${slotType}, ${areaType}`);
  }
  for (const { slot, cipher: ofSlot, kdf, bound, keySizeBits } of facts.keyslots) {
    if (!isCipher(ofSlot)) refuse(`cipher ${ofSlot} of keyslot ${slot}`);
    if (!derivations.includes(kdf.type)) refuse(`key derivation ${kdf.type} of keyslot ${slot}`);
    if (bound && !cipherFacts(cipher).keySizesBits.includes(keySizeBits)) {
      refuse(`${cipher} with a key of ${keySizeBits} bits in keyslot ${slot}`);
    }
  }
}
