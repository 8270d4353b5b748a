import { type Secret } from '@nodecore/sys/pure';

import { made } from './field/made.ts';
import { Mistake } from './field/mistake.ts';
import { object } from './field/object.ts';
import { secret } from './field/secret.ts';
import { anyText, withJson } from './field/shape.ts';
import { required, type Type } from './field/type.ts';
import { type Place } from './place.ts';

const passphrase: Type<Secret> = secret(
  made(withJson(anyText, { minLength: 1 }), (text) =>
    text === '' ? new Mistake('key.passphrase_empty', 'the passphrase is empty') : text,
  ),
);

/** `static`: a passphrase in the configuration. */
export const staticSource: Type<{ readonly passphrase: Secret }> = object({
  passphrase: required('used byte for byte', passphrase),
});

/** STATE takes no passphrase without consent: its settings must be readable before it is open. */
export function checkStaticOfState(source: Place, allowStaticState: boolean): void {
  if (allowStaticState)
    source.warning(
      'key.static_on_state',
      'the passphrase of STATE lies beside it in clear: who has the disk opens STATE',
    );
  if (!allowStaticState) {
    const message =
      'STATE takes no static key: its passphrase would have to be stored beside it in clear; use nodeID, tpm or kms, or ' +
      'consent to that with allowStaticState: true';
    source.problem('key.static_on_state', message);
  }
}
