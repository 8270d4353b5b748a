import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import { type Cursor } from './cursor.ts';
import { readBase64, readPem } from './pem-field.ts';
import { privateKeyFits } from './private-key.ts';
import { type MachineRoot } from './types.ts';
import { type Vault } from './vault.ts';

/** Length of `cluster.secret`. */
const clusterSecretBytes = 32;

export type RootContext = { readonly vault: Vault; readonly nowMs: number };

export function readMachineRoot(root: Cursor, { vault, nowMs }: RootContext): MachineRoot | undefined {
  const machine = root.get('machine');
  const ca = machine?.get('ca');
  const crt = readCertificate(ca?.get('crt'), nowMs);
  const key = readPem(ca?.get('key'), 'private_key.invalid', 'a private key');
  if (ca !== undefined && key !== undefined) {
    const fits = crt === undefined ? 'fits' : privateKeyFits(key, crt);
    if (fits === 'invalid') ca.problemAt('key', 'private_key.invalid', 'not a private key that can be read');
    if (fits === 'other')
      ca.problemAt('key', 'private_key.mismatch', 'this key does not belong to the certificate in crt');
  }
  const acceptedCAs = machine?.get('acceptedCAs')?.items() ?? [];
  const accepted = acceptedCAs.flatMap((entry) => readCertificate(entry.get('crt'), nowMs) ?? []);
  const certSANs =
    machine
      ?.get('certSANs')
      ?.items()
      .map((item) => readSan(item)) ?? [];
  const token = machine?.get('token')?.text();
  const cluster = readCluster(root.get('cluster'), vault);
  if (crt === undefined || key === undefined) {
    key?.fill(0);
    return undefined;
  }
  return {
    type: machine?.get('type')?.text() === 'worker' ? 'worker' : 'controlplane',
    ...(token === undefined ? {} : { token: vault.keep(token) }),
    ca: { crt, key: vault.keepBytes(key) },
    acceptedCAs: accepted,
    certSANs: certSANs.filter((name) => name !== undefined),
    cluster,
  };
}

function readCertificate(field: Cursor | undefined, nowMs: number): string | undefined {
  const pem = readPem(field, 'certificate.invalid', 'a certificate')?.toString('utf8');
  if (field === undefined || pem === undefined) return undefined;
  const certificate = parseCertificate(pem);
  if (certificate === undefined) {
    field.problem('certificate.invalid', 'not a certificate that can be read');
    return undefined;
  }
  if (!certificate.ca) field.problem('certificate.not_ca', 'this certificate is not an authority (CA)');
  if (certificate.validToDate.getTime() <= nowMs) {
    field.warning(
      'certificate.expired',
      `this certificate expired on ${certificate.validToDate.toISOString()}`,
    );
  }
  return pem;
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined; // the library's error would say nothing more
  }
}

function readSan(item: Cursor): string | undefined {
  const name = item.text();
  if (name !== undefined && isIP(name) === 0 && !/^(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$/u.test(name)) {
    item.problem('cert_san.invalid', 'must be a DNS name or an IP address');
  }
  return name;
}

function readCluster(cluster: Cursor | undefined, vault: Vault): MachineRoot['cluster'] {
  const id = cluster?.get('id')?.text();
  const clusterName = cluster?.get('clusterName')?.text();
  const secretField = cluster?.get('secret');
  const secret = readBase64(secretField, 'cluster.secret');
  if (secret !== undefined && secret.byteLength !== clusterSecretBytes) {
    secretField?.problem('cluster.secret', `must be ${clusterSecretBytes} bytes in base64`);
  }
  const endpointField = cluster?.get('controlPlane')?.get('endpoint');
  const endpoint = endpointField?.text();
  if (endpoint !== undefined && !isHttps(endpoint)) {
    endpointField?.problem('endpoint.invalid', 'must be an https URL, such as https://10.0.0.1:6443');
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(secret === undefined ? {} : { secret: vault.keepBytes(secret) }),
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
