import {
  compileDiskSelector,
  compileLinkSelector,
  compileVolumeSelector,
  type DiskEnvironment,
  type LinkEnvironment,
  type Selector,
  type VolumeEnvironment,
} from '@nodecore/selector';

import { type Type } from '../field/type.ts';
import { compiled } from '../selector-field.ts';

/** A CEL expression that answers true or false; a mistake in it is shown where it breaks. */
function selector<Environment>(
  says: string,
  compile: (text: string) => Selector<Environment>,
): Type<Selector<Environment>> {
  return {
    json: { type: 'string', minLength: 1 },
    says,
    read: (at) => {
      const text = at.text();
      if (text === undefined) return at.wrongType('a text; put it in quotes');
      return compiled(at, 'selector.invalid', () => compile(text));
    },
  };
}

/** An expression over `link`. */
export const linkSelector: Type<Selector<LinkEnvironment>> = selector(
  'expression over link',
  compileLinkSelector,
);

/** An expression over `disk` and `system_disk`. */
export const diskSelector: Type<Selector<DiskEnvironment>> = selector(
  'expression over disk',
  compileDiskSelector,
);

/** An expression over `volume`, `disk` and `system_disk`. */
export const volumeSelector: Type<Selector<VolumeEnvironment>> = selector(
  'expression over volume',
  compileVolumeSelector,
);
