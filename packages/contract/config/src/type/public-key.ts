import { builtin } from '@nodecore/sys/pure';
import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';
import { isPemMistake, splitPem } from '../pem-bundle.ts';

const crypto = builtin('node:crypto');

/** A certificate or a public key, in PEM. A private key is refused, whose public half the library would take. */
export const publicKeyOrCertificate: Type<string> = parsed('a certificate in PEM', {
  json: { minLength: 1 },
  parse: (text) => {
    const blocks = splitPem(text);
    const [block] = isPemMistake(blocks) ? [] : blocks;
    if (block === undefined || !['CERTIFICATE', 'PUBLIC KEY'].includes(block.label))
      return new Mistake('certificate.invalid', 'must be a certificate or a public key in PEM form');
    try {
      crypto().createPublicKey(block.pem);
      return block.pem;
    } catch {
      return new Mistake('certificate.invalid', 'can not be read');
    }
  },
});
