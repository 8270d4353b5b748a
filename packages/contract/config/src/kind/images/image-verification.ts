import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { atLeastOne } from '../../field/rule.ts';
import { boolean } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required, type Of } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { regex } from '../../type/regex.ts';
import { publicKeyOrCertificate } from '../../type/public-key.ts';

const keyless = object(
  {
    issuer: required('who vouched for the signer', text()),
    subject: optional('who signed', text()),
    subjectRegex: optional('who signed, as an expression (RE2)', regex),
  },
  { rules: [atLeastOne('subject', 'subjectRegex')] },
);

const ruleFields = {
  image: required('which images; * stands for any run of characters', text()),
  skip: fallback('whether they are taken without a look', boolean, false),
  deny: fallback('whether they are never taken', boolean, false),
  keyless: optional('signed by somebody that an issuer vouched for', keyless),
  publicKey: optional(
    'signed with a key',
    object({ certificate: required('the certificate or the public key, in PEM', publicKeyOrCertificate) }),
  ),
};

const rule = object(ruleFields, { check: checkRule });

/** `ImageVerificationConfig`: whose signatures images must have. */
export const imageVerification = document(
  'ImageVerificationConfig',
  'whose signatures images must have',
  () => ({
    takesEffect: 'live',
    awaits: 'containers',
    fields: {
      rules: optional(
        'the first that fits an image counts; an installer of the node OS is proven by the keys of the image that runs, whatever rules say',
        list(rule, { merge: { by: 'image' } }),
      ),
    },
    check: ({ rules = [] }, at) => {
      for (const [index, { image }] of rules.entries()) {
        const before = rules.slice(0, index).findIndex((one) => swallows(one.image, image));
        if (before >= 0)
          at.at('rules', index, 'image').warning(
            'image_rule.never',
            `is never reached: rule ${before + 1} fits all of it`,
          );
      }
    },
    example:
      'rules:\n  - image: registry.example/*\n    keyless: {issuer: https://accounts.example, subject: release@example.com}\n',
  }),
);

function checkRule(value: Of<typeof ruleFields>, at: Place): void {
  const ways = [value.skip, value.deny, value.keyless !== undefined, value.publicKey !== undefined];
  if (ways.filter(Boolean).length !== 1)
    at.problem('image_rule.one', 'takes exactly one of skip, deny, keyless and publicKey');
  const { image } = value;
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (image.includes('@') || name.includes(':'))
    at.at('image').warning(
      'image_rule.tag',
      'is compared without tag and digest: a pattern with one fits nothing',
    );
  if (!image.includes('/'))
    at.at('image').warning('image_rule.registry', 'has no registry in front: it fits few images');
}

/** Whether every image that fits `inner` fits `outer`, as far as that is plain: `outer` is a prefix and a star. */
function swallows(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  return outer.endsWith('*') && !outer.slice(0, -1).includes('*') && inner.startsWith(outer.slice(0, -1));
}
