import { builtin, type Secret } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { optional, required, type Type } from '../../field/type.ts';
import { dnsLabel } from '../../type/dns-name.ts';
import { privateKey } from '../../type/pem.ts';
import { publicKeyOrCertificate } from '../../type/public-key.ts';
import { url } from '../../type/url.ts';
import { exampleSigningKey } from './example-keys.ts';

const crypto = builtin('node:crypto');

const signingKey: Type<Secret> = {
  ...privateKey,
  read: (at) => {
    const key = privateKey.read(at);
    if (key === undefined) return undefined;
    const type = keyType(key);
    if (type === 'rsa' || type === 'ec') return key;
    at.problem('private_key.invalid', 'must be a key of RSA or of an elliptic curve that can be read');
    return undefined;
  },
};

function keyType(key: Secret): string | undefined {
  try {
    return crypto().createPrivateKey(Buffer.from(key.bytes)).asymmetricKeyType;
  } catch {
    return undefined; // the library's error could describe the key
  }
}

const common = { takesEffect: 'live', awaits: 'orchestrator', only: 'controlplane' } as const;

/** `OrchServiceAccountConfig`: what tokens of workloads are signed with. */
export const orchServiceAccount = document(
  'OrchServiceAccountConfig',
  'what tokens of workloads are signed with',
  () => ({
    ...common,
    replaces: ['cluster.serviceAccount'],
    fields: {
      issuer: required(
        'who signs',
        object({
          privateKey: required('the key, in PEM', signingKey),
          issuerURL: required('as what the tokens name it', url(['https', 'http'])),
        }),
      ),
      accepted: optional(
        'what else is taken',
        object({
          publicKeys: optional('keys, in PEM', list(publicKeyOrCertificate)),
          issuers: optional('issuers', list(text())),
          audiences: optional('audiences; issuerURL without it', list(text())),
        }),
      ),
    },
    example: `issuer:\n  issuerURL: https://10.0.0.100:6443\n  privateKey: |\n${exampleSigningKey(4)}`,
  }),
);

/** It holds keys, so that all of it is a secret: as JSON. */
const encryptionConfig: Type<Secret> = {
  ...anything,
  json: { ...anything.json, writeOnly: true, minProperties: 1 },
  secret: 'always',
  read: (at) => {
    const config = anything.read(at);
    if (config === undefined) return undefined;
    if (Object.keys(config).length > 0) return at.keep(JSON.stringify(config));
    at.problem('kvstore_encryption.empty', 'must not be empty');
    return undefined;
  },
};

/** `OrchKvstoreEncryptionConfig`: how secrets are encrypted in the kvstore. */
export const orchKvstoreEncryption = document(
  'OrchKvstoreEncryptionConfig',
  'how secrets are encrypted in the kvstore',
  () => ({
    ...common,
    replaces: ['cluster.aescbcEncryptionSecret', 'cluster.secretboxEncryptionSecret'],
    fields: { config: required('an encryption configuration', encryptionConfig) },
    example:
      'config: {apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: []}\n',
  }),
);

/** `OrchNodeAPIAccessConfig`: which pods may call the node's API. */
export const orchNodeApiAccess = document(
  'OrchNodeAPIAccessConfig',
  "which pods may call the node's API",
  () => ({
    ...common,
    replaces: ['machine.features.nodeAPIAccess'],
    fields: {
      allowedRoles: optional(
        'as what',
        list(choice('os:reader', 'os:operator', 'os:kvstore:backup', 'os:capture', 'os:admin'), {
          merge: 'replace',
        }),
      ),
      allowedNamespaces: optional('from where', list(dnsLabel, { merge: 'replace' })),
    },
    example: 'allowedRoles: [os:reader]\nallowedNamespaces: [monitoring]\n',
  }),
);
