import { builtin } from '@nodecore/sys/pure';
import { type AuthorityContext, readAuthority, readCertificate } from './authority.ts';
import { type Place } from './place.ts';
import { readKvstore } from './kvstore.ts';
import { checkRoot } from './legacy/check.ts';
import { readBase64 } from './pem-field.ts';
import { type LogDestination, type MachineRoot } from './types.ts';

const net = builtin('node:net');

/** Length of `cluster.secret` in bytes, once decoded. */
const clusterSecretBytes = 32;

/**
 * Reads the root document; `vault` takes over its token, keys and cluster secret, to wipe them.
 *
 * @returns undefined when `machine.ca` has no usable certificate and key; that has been reported.
 */
export function readMachineRoot(root: Place): MachineRoot | undefined {
  const { vault, nowMs } = root;
  checkRoot(root);
  const machine = root.get('machine');
  const ca = readAuthority(machine?.get('ca'), { vault, nowMs });
  const acceptedCAs = machine?.get('acceptedCAs')?.items() ?? [];
  const accepted = acceptedCAs.flatMap((entry) => readCertificate(entry.get('crt'), nowMs) ?? []);
  const certSANs =
    machine
      ?.get('certSANs')
      ?.items()
      .map((item) => readSan(item)) ?? [];
  const token = machine?.get('token')?.text();
  const cluster = readCluster(root.get('cluster'), { vault, nowMs });
  if (ca === undefined) return undefined;
  return {
    type: ['worker', 'join'].includes(machine?.get('type')?.text() ?? '') ? 'worker' : 'controlplane',
    beginsKvstore: machine?.get('type')?.text() === 'init',
    ...(token === undefined ? {} : { token: vault.keep(token) }),
    ca,
    acceptedCAs: accepted,
    certSANs: certSANs.filter((name) => name !== undefined),
    logging: (machine?.get('logging')?.get('destinations')?.items() ?? []).flatMap((each) =>
      readLogDestination(each),
    ),
    cluster,
  };
}

/** What is wrong with one was said when its fields were read. */
function readLogDestination(item: Place): LogDestination[] {
  const endpoint = item.get('endpoint')?.text() ?? '';
  if (!URL.canParse(endpoint)) return [];
  const tags = item.get('extraTags')?.entries() ?? [];
  return [
    {
      endpoint: new URL(endpoint),
      extraTags: new Map(tags.map(([name, value]) => [name, value.text() ?? ''])),
    },
  ];
}

function readSan(item: Place): string | undefined {
  const name = item.text();
  if (name !== undefined && net().isIP(name) === 0 && !/^(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$/u.test(name)) {
    item.problem('cert_san.invalid', 'must be a DNS name or an IP address');
  }
  return name;
}

function readCluster(cluster: Place | undefined, context: AuthorityContext): MachineRoot['cluster'] {
  const { vault } = context;
  const id = cluster?.get('id')?.text();
  const clusterName = cluster?.get('clusterName')?.text();
  const secretField = cluster?.get('secret');
  const token = cluster?.get('token')?.text();
  const secret = readBase64(secretField, 'cluster.secret');
  if (secret !== undefined && secret.byteLength !== clusterSecretBytes) {
    secretField?.problem('cluster.secret', `must be ${clusterSecretBytes} bytes in base64`);
  }
  const endpointField = cluster?.get('controlPlane')?.get('endpoint');
  const endpoint = endpointField?.text();
  if (endpoint !== undefined && !isHttps(endpoint)) {
    endpointField?.problem('endpoint.invalid', 'must be an https URL, such as https://10.0.0.1:6443');
  }
  const kvstore = readKvstore(cluster?.get('kvstore'), context);
  return {
    ...(id === undefined ? {} : { id }),
    ...(secret === undefined ? {} : { secret: vault.keepBytes(secret) }),
    ...(token === undefined ? {} : { token: vault.keep(token) }),
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(kvstore === undefined ? {} : { kvstore }),
  };
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
