import { builtin, type Secret } from '@nodecore/sys/pure';

import { type RootAuthority } from './authority.ts';
import { made } from './field/made.ts';
import { Mistake } from './field/mistake.ts';
import { anyText, hiddenText } from './field/shape.ts';
import { type Type } from './field/type.ts';
import { checkRoot } from './legacy/check.ts';
import { readBase64 } from './pem-field.ts';
import { type Place } from './place.ts';
import { type Kvstore, type MachineRoot } from './types.ts';

const net = builtin('node:net');

/** Length of `cluster.secret` in bytes, once decoded. */
const clusterSecretBytes = 32;

/** A DNS name, also with `*` in place of its first label, or an IP address. */
export const certificateName: Type<string> = made(anyText, (name) =>
  net().isIP(name) === 0 && !/^(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$/u.test(name)
    ? new Mistake('cert_san.invalid', 'must be a DNS name or an IP address')
    : name,
);

/** Where the API of the orchestrator is. */
export const clusterEndpoint: Type<string> = made(anyText, (text) =>
  URL.canParse(text) && new URL(text).protocol === 'https:'
    ? text
    : new Mistake('endpoint.invalid', 'must be an https URL, such as https://10.0.0.1:6443'),
);

/** What members of a cluster know; the vault has its bytes. */
export const clusterSecret: Type<Secret> = {
  ...hiddenText,
  read: (at) => {
    if (hiddenText.read(at) === undefined) return undefined;
    const bytes = readBase64(at, 'cluster.secret');
    if (bytes === undefined) return undefined;
    if (bytes.byteLength === clusterSecretBytes) return at.vault.keepBytes(bytes);
    bytes.fill(0);
    at.problem('cluster.secret', `must be ${clusterSecretBytes} bytes in base64`);
    return undefined;
  },
};

/** The root document as it is written: the fields that no document has replaced. */
export type RootFields = {
  readonly machine: {
    readonly type: 'controlplane' | 'worker' | 'init' | 'join';
    readonly token?: Secret;
    readonly ca: RootAuthority;
    readonly acceptedCAs?: readonly { readonly crt: string }[];
    readonly certSANs?: readonly string[];
    readonly logging?: {
      readonly destinations: readonly {
        readonly endpoint: URL;
        readonly extraTags?: ReadonlyMap<string, string>;
      }[];
    };
  };
  readonly cluster?: {
    readonly id?: string;
    readonly secret?: Secret;
    readonly token?: Secret;
    readonly clusterName?: string;
    readonly controlPlane?: { readonly endpoint?: string };
    readonly kvstore?: Kvstore;
  };
};

/** What a root document says. @returns undefined when one of its fields is wrong; that has been reported. */
export function machineRootOf(root: Place, value: RootFields | undefined): MachineRoot | undefined {
  checkRoot(root);
  if (value === undefined) return undefined;
  const { type, token, ca, acceptedCAs = [], certSANs = [], logging } = value.machine;
  const isWorker = type === 'worker' || type === 'join';
  return {
    type: isWorker ? 'worker' : 'controlplane',
    beginsKvstore: type === 'init',
    ...(token === undefined ? {} : { token }),
    ca: isWorker ? { crt: ca.crt } : ca,
    acceptedCAs: acceptedCAs.map(({ crt }) => crt),
    certSANs,
    logging: (logging?.destinations ?? []).map(({ endpoint, extraTags }) => ({
      endpoint,
      extraTags: extraTags ?? new Map(),
    })),
    cluster: clusterOf(value.cluster),
  };
}

function clusterOf({
  id,
  secret,
  token,
  clusterName,
  controlPlane,
  kvstore,
}: NonNullable<RootFields['cluster']> = {}): MachineRoot['cluster'] {
  const endpoint = controlPlane?.endpoint;
  return {
    ...(id === undefined ? {} : { id }),
    ...(secret === undefined ? {} : { secret }),
    ...(token === undefined ? {} : { token }),
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(kvstore === undefined ? {} : { kvstore }),
  };
}
