import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { map } from '../../field/list.ts';
import { parsed } from '../../field/parsed.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { required, type Type } from '../../field/type.ts';

/** Whoever sets these runs code of his own in the programs of the node. */
const taking =
  /^(?:LD_.*|NODE_.*|PATH|BASH_ENV|ENV|IFS|GCONV_PATH|GIO_.*|MALLOC_.*|OPENSSL_CONF|OPENSSL_MODULES)$/u;

const variable: Type<string> = parsed('a name', {
  json: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 255 },
  parse: (name) => {
    if (name.length > 255 || !/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name))
      return new Mistake('environment.name', 'must be letters, digits and _, and not begin with a digit');
    return taking.test(name)
      ? new Mistake('environment.reserved', 'would change the programs of the node themselves')
      : name;
  },
});

/** `EnvironmentConfig`: environment variables of the node and its services. */
export const environment = document(
  'EnvironmentConfig',
  'environment variables of the node and its services',
  () => ({
    takesEffect: 'service', // the agent has them at once
    fields: {
      variables: required(
        'value by name, such as https_proxy',
        map(secretMaybe(text({ empty: true, lines: true, longest: 32_768 })), { names: variable }),
      ),
    },
    example: 'variables:\n  https_proxy: http://proxy.example:3128\n  no_proxy: 10.0.0.0/8\n',
  }),
);
