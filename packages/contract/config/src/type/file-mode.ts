import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** Permissions of a file, in octal as everybody writes them: `0o644`, `0644`. Set-user-ID and set-group-ID are refused. */
export const fileMode: Type<number> = parsed('an octal number', {
  literal: true,
  json: { type: ['string', 'integer'] },
  parse: (text) => {
    const digits = /^0o?([0-7]{1,4})$/u.exec(text)?.[1];
    if (digits === undefined) return new Mistake('mode.octal', 'must be an octal number, such as 0o644');
    const mode = Number.parseInt(digits, 8);
    if (mode === 0) return new Mistake('mode.none', 'gives nobody access; leave it out for 0o644');
    return (mode & 0o6000) === 0
      ? mode
      : new Mistake('mode.special', 'set-user-ID and set-group-ID are not taken');
  },
});
