import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { secret } from '../../field/secret.ts';
import { required, type Type } from '../../field/type.ts';
import { documentName } from '../../type/document-name.ts';
import { url } from '../../type/url.ts';

/** `DiscoveryServiceConfig`: where members of the cluster find each other. */
export const discoveryService = document(
  'DiscoveryServiceConfig',
  'where members of the cluster find each other',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    replaces: ['cluster.discovery'],
    fields: {
      name: required('a name for it', documentName),
      endpoint: required(
        'where it is; http is without encryption',
        url(['https', 'http', 'grpc'], { bare: true }),
      ),
    },
    example: 'name: default\nendpoint: https://discovery.example\n',
  }),
);

/** Both alphabets of base64: the identity is kept byte for byte, as it is a name. */
const clusterId: Type<string> = parsed('base64 of 32 bytes', {
  json: { pattern: '^[A-Za-z0-9+/_-]{43}=?$' },
  parse: (text) =>
    /^[A-Za-z0-9+/]{43}=$|^[A-Za-z0-9_-]{43}=?$/u.test(text)
      ? text
      : new Mistake('discovery.id', 'must be 32 bytes in base64'),
});

const clusterSecret: Type<string> = parsed('base64 of 32 bytes', {
  json: { pattern: '^[A-Za-z0-9+/]{43}=$' },
  parse: (text) =>
    /^[A-Za-z0-9+/]{43}=$/u.test(text) ? text : new Mistake('discovery.secret', 'must be 32 bytes in base64'),
});

/** `DiscoveryIdentityConfig`: which cluster the node is of, for the discovery service. */
export const discoveryIdentity = document(
  'DiscoveryIdentityConfig',
  'which cluster the node is of, and what its members know',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    replaces: ['cluster.id', 'cluster.secret'],
    fields: {
      clusterID: required('name of the cluster', clusterId),
      clusterSecret: required('what only its members know', secret(clusterSecret)),
    },
    example:
      'clusterID: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nclusterSecret: ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=\n',
  }),
);
