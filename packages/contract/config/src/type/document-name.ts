import { text } from '../field/text.ts';
import { type Type } from '../field/type.ts';

/** The name that tells documents of one kind apart, where it names nothing outside the configuration. */
export const documentName: Type<string> = text({
  longest: 63,
  pattern: {
    regex: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/u,
    code: 'name.characters',
    message: 'a name consists of ASCII letters, digits, dots, hyphens and underscores',
  },
});
