/** The ciphers of encrypted volumes, as dm-crypt spells them. */
export type Cipher = 'aes-xts-plain64' | 'xchacha12,aes-adiantum-plain64' | 'xchacha20,aes-adiantum-plain64';

type CipherFacts = {
  readonly cipher: string;
  readonly mode: string;
  readonly keySizeBits: number;
  readonly keySizesBits: readonly number[];
};

const facts: Readonly<Record<Cipher, CipherFacts>> = {
  // XTS takes two keys: 512 bits are AES-256.
  'aes-xts-plain64': { cipher: 'aes', mode: 'xts-plain64', keySizeBits: 512, keySizesBits: [256, 512] },
  'xchacha12,aes-adiantum-plain64': {
    cipher: 'xchacha12,aes',
    mode: 'adiantum-plain64',
    keySizeBits: 256,
    keySizesBits: [256],
  },
  'xchacha20,aes-adiantum-plain64': {
    cipher: 'xchacha20,aes',
    mode: 'adiantum-plain64',
    keySizeBits: 256,
    keySizesBits: [256],
  },
};

/** True for the ciphers that volumes may have; anything else in a header is not opened. */
export function isCipher(text: string): text is Cipher {
  return Object.hasOwn(facts, text);
}

/** How libcryptsetup wants the cipher, and which sizes its key may have. */
export function cipherFacts(cipher: Cipher): CipherFacts {
  return facts[cipher];
}
