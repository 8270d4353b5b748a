import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

// Without a dot, a port or brackets it would be a part of a repository's name.
const registry = String.raw`(?:(?:localhost|(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?|[A-Za-z0-9-]+:\d{1,5})/`;
const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:${registry})?${part}(?:/${part})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
  'u',
);

/** The reference of a container image: `registry.example/repository:tag`, `…@sha256:…`. */
export const imageReference: Type<string> = parsed('the reference of an image', {
  json: { minLength: 1, maxLength: 512 },
  parse: (text) =>
    text.length <= 512 && reference.test(text)
      ? text
      : new Mistake('image.reference', 'must be the reference of an image: registry.example/repository:tag'),
});

/** Whether a reference names one image for good. */
export function isPinned(text: string): boolean {
  return text.includes('@sha256:');
}
