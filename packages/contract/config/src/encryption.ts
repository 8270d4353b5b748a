import { type Place } from './place.ts';
import { type EncryptionContext } from './encryption-context.ts';
import { readKeys } from './encryption-keys.ts';
import { type Cipher, type Encryption, type EncryptionOption } from './types.ts';

/** Key sizes in bits that a cipher takes; the first is the default. */
const keySizes: Readonly<Record<Cipher, readonly number[]>> = {
  'aes-xts-plain64': [512, 256],
  'xchacha12,aes-adiantum-plain64': [256],
  'xchacha20,aes-adiantum-plain64': [256],
};
const blockSizes = [512, 1024, 2048, 4096];

/**
 * Reads an `encryption` block. A block that is there means encryption is wanted: without provider or keys it is a
 * mistake, never silently no encryption.
 */
export function readEncryption(block: Place | undefined, context: EncryptionContext): Encryption | undefined {
  if (block === undefined || !block.isMapping()) return undefined;
  if (block.get('provider') === undefined) {
    block.problemAt('provider', 'encryption.provider_required', 'encryption needs a provider: luks2');
  }
  const keys = readKeys(block, { ...context, allowStaticState: readConsent(block, context) });
  const cipher = readCipher(block);
  const keySizeBits = readKeySize(block, cipher);
  const blockSize = readBlockSize(block);
  return {
    provider: 'luks2',
    keys,
    cipher: cipher ?? 'aes-xts-plain64',
    keySizeBits,
    ...(blockSize === undefined ? {} : { blockSize }),
    options: readOptions(block),
    allowDiscards: block.get('allowDiscards')?.boolean() ?? false,
  };
}

/** Elsewhere a passphrase lies on STATE: who consents to more there takes the volume for another. */
function readConsent(block: Place, { state }: EncryptionContext): boolean {
  const field = block.get('allowStaticState');
  if (!state) field?.problem('encryption.consent_elsewhere', 'this is for STATE alone; take it out');
  return field?.boolean() ?? false;
}

/** Undefined when the text names no cipher; the shape check has said so. */
function readCipher(block: Place): Cipher | undefined {
  const text = block.get('cipher')?.text() ?? 'aes-xts-plain64';
  return Object.hasOwn(keySizes, text) ? (text as Cipher) : undefined;
}

function readKeySize(block: Place, cipher: Cipher | undefined): number {
  const accepted = keySizes[cipher ?? 'aes-xts-plain64'];
  const field = block.get('keySize');
  const bits = field?.integer() ?? accepted[0] ?? 0;
  if (cipher !== undefined && field?.integer() !== undefined && !accepted.includes(bits)) {
    field.problem(
      'encryption.key_size',
      `${cipher} takes a key of ${accepted.toSorted((a, b) => a - b).join(' or ')} bits`,
    );
  }
  return bits;
}

function readBlockSize(block: Place): number | undefined {
  const field = block.get('blockSize');
  const bytes = field?.integer();
  if (bytes !== undefined && !blockSizes.includes(bytes)) {
    field?.problem('encryption.block_size', `must be ${blockSizes.join(', ')} bytes`);
  }
  return bytes;
}

function readOptions(block: Place): EncryptionOption[] {
  const options = new Set<string>();
  for (const item of block.get('options')?.items() ?? []) {
    const option = item.text();
    if (option === undefined) continue;
    if (options.has(option)) item.problem('encryption.option_duplicate', 'this option is given twice');
    options.add(option);
  }
  return [...options] as EncryptionOption[];
}
