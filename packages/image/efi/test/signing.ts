import {
  certificateList,
  createSigningIdentity,
  type SignatureList,
  type SigningIdentity,
} from '../src/index.ts';

export const owner = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0';

let made: Promise<readonly [SigningIdentity, SigningIdentity]> | undefined;

/** Two who sign, made once: RSA keys take their time. */
export function identities(): Promise<readonly [SigningIdentity, SigningIdentity]> {
  made ??= Promise.all([createSigningIdentity('first'), createSigningIdentity('second')]);
  return made;
}

export function listOf({ certificate }: SigningIdentity): readonly SignatureList[] {
  return [certificateList(certificate, owner)];
}
