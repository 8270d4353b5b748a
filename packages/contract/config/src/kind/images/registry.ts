import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { atLeastOne, needs } from '../../field/rule.ts';
import { boolean } from '../../field/scalars.ts';
import { secret } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required, type Type } from '../../field/type.ts';
import { isHost } from '../../type/endpoint.ts';
import { certificates, identity } from '../../type/pem.ts';
import { url } from '../../type/url.ts';

const invalid = new Mistake('registry.host', 'must be the host of a registry: registry.example:5000');

function isRegistry(text: string): boolean {
  const [, host = text] = /^(.+):\d{1,5}$/u.exec(text) ?? [];
  return isHost(/^\[(.+)\]$/u.exec(host)?.[1] ?? host);
}

/** A registry: `docker.io`, `registry.example:5000`. */
const registryHost: Type<string> = parsed('a registry', {
  json: { minLength: 1, maxLength: 259 },
  parse: (text) => (isRegistry(text) ? text : invalid),
});

const mirrored: Type<string> = parsed('a registry or *', {
  json: registryHost.json,
  parse: (text) => (text === '*' || isRegistry(text) ? text : invalid),
});

const endpoint = object({
  url: required('where it is', url(['https', 'http'])),
  overridePath: optional('whether the path of the URL takes the place of /v2', boolean),
});

/** `RegistryMirrorConfig`: where images of a registry are fetched. */
export const registryMirror = document(
  'RegistryMirrorConfig',
  'where images of a registry are fetched',
  () => ({
    takesEffect: 'live',
    awaits: 'containers',
    fields: {
      name: required('the registry; * is any other', mirrored),
      endpoints: optional('asked in this order', list(endpoint, { merge: { by: 'url' } })),
      skipFallback: fallback(
        'whether the registry itself is left out when no mirror has the image',
        boolean,
        false,
      ),
    },
    example: 'name: docker.io\nendpoints:\n  - url: https://mirror.example\nskipFallback: true\n',
  }),
);

/** `RegistryAuthConfig`: as whom images of a registry are fetched. */
export const registryAuth = document(
  'RegistryAuthConfig',
  'as whom images of a registry are fetched',
  () => ({
    takesEffect: 'live',
    awaits: 'containers',
    fields: {
      name: required('the registry', registryHost),
      username: optional('a name', text({ longest: 256 })),
      password: optional('its password', secret(text())),
      auth: optional('both, as base64 of name:password', secret(text())),
      identityToken: optional('a token that takes their place', secret(text({ longest: 65_536 }))),
    },
    rules: [
      needs('username', 'password'),
      needs('password', 'username'),
      atLeastOne('username', 'auth', 'identityToken'),
    ],
    check: ({ username, auth, identityToken }, at) => {
      const ways = { username, auth, identityToken };
      const [, second] = Object.keys(ways).filter((name) => ways[name as keyof typeof ways] !== undefined);
      if (second !== undefined)
        at.at(second).problem(
          'registry_auth.one',
          'takes a name with its password, auth or identityToken: one of them',
        );
      const plain = auth === undefined ? undefined : Buffer.from(auth.bytes.toString('latin1'), 'base64');
      if (plain !== undefined && !plain.includes(':'))
        at.at('auth').problem('registry_auth.form', 'must be base64 of name:password');
      plain?.fill(0);
    },
    example: 'name: registry.example\nusername: reader\npassword: not-a-password\n',
  }),
);

/** `RegistryTLSConfig`: how a registry and the node know each other. */
export const registryTls = document(
  'RegistryTLSConfig',
  'how a registry and the node know each other',
  () => ({
    takesEffect: 'live',
    awaits: 'containers',
    fields: {
      name: required('the registry', registryHost),
      clientIdentity: optional('what the node shows', identity),
      ca: optional('authorities that its certificate may be of, in PEM', certificates),
      insecureSkipVerify: fallback('whether its certificate is not looked at', boolean, false),
    },
    check: ({ insecureSkipVerify, ca }, at) => {
      if (insecureSkipVerify)
        at.at('insecureSkipVerify').warning(
          'registry_tls.unverified',
          'anybody on the way can hand out other images',
        );
      if (insecureSkipVerify && ca !== undefined)
        at.at('ca').warning('registry_tls.unused', 'has no effect while insecureSkipVerify is set');
    },
    example: 'name: registry.example:5000\ninsecureSkipVerify: true\n',
  }),
);
