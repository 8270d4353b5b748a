import type * as X509 from '@peculiar/x509';

import { pemOf, readAuthority, type Identity } from './authority.ts';
import { fingerprint } from './fingerprint.ts';
import { generateKey, keyPair } from './key.ts';
import { algorithm, x509 } from './library.ts';
import { alternativeNames, uuidName } from './names.ts';
import { readRequest, subjectOf } from './request.ts';
import { validity, type Lifetime } from './validity.ts';

/** Client certificates say who asks, server certificates who answers; none is both. */
export type Usage = 'client' | 'server';

/** A day, for certificates that are made again by themselves. */
export const shortLifetimeMs: number = 24 * 3_600_000;
/** A year, for certificates that people keep. */
export const userLifetimeMs: number = 8_760 * 3_600_000;

/** Signs a request as it stands: its subject (roles) and its names. */
export async function signCSR(
  ca: Identity,
  request: string,
  options: Lifetime & { readonly usage?: Usage } = {},
): Promise<string> {
  const { publicKey, subjectName, extensions } = await readRequest(request);
  const library = await x509();
  const names = extensions.filter(
    (extension) => extension instanceof library.SubjectAlternativeNameExtension,
  );
  return issue(ca, { publicKey, subject: subjectName.toJSON(), names }, options.usage ?? 'client', options);
}

/** A server certificate with a new key, for these IP addresses and DNS names. */
export async function issueServer(
  ca: Identity,
  options: Lifetime & { readonly names: readonly string[] },
): Promise<Identity> {
  const library = await x509();
  const key = await generateKey();
  const names = alternativeNames(library, options.names);
  const subject = [{ CN: [options.names[0] ?? 'node'] }];
  const crt = await issue(ca, { publicKey: keyPair(key).publicKey, subject, names }, 'server', options);
  return { crt, key };
}

/** A client certificate with a new key. Its organizations are its roles; it is valid for a year by default. */
export async function issueClient(
  ca: Identity,
  options: Lifetime & { readonly roles: readonly string[] },
): Promise<Identity> {
  const key = await generateKey();
  const subject = subjectOf(options.roles);
  const lifetime = { lifetimeMs: userLifetimeMs, ...options };
  const crt = await issue(ca, { publicKey: keyPair(key).publicKey, subject, names: [] }, 'client', lifetime);
  return { crt, key };
}

/**
 * A certificate by which a node proves to others, such as key servers, which machine it is. It has no role: the node API
 * lets its holder do nothing.
 *
 * @param options.uuid of the machine; goes into the certificate as the name `urn:uuid:…`.
 */
export async function issueNode(
  ca: Identity,
  { uuid, ...lifetime }: Lifetime & { readonly uuid: string },
): Promise<Identity> {
  const library = await x509();
  const key = await generateKey();
  const names = [uuidName(library, uuid)];
  const subject = [{ CN: [`node ${uuid}`] }];
  const crt = await issue(ca, { publicKey: keyPair(key).publicKey, subject, names }, 'client', lifetime);
  return { crt, key };
}

/**
 * A client certificate for the key of a request, which stays where it was made. Its roles are those that are given, whatever the
 * request says.
 *
 * @param request PKCS #10 in PEM form.
 */
export async function signClientCSR(
  ca: Identity,
  request: string,
  { roles, ...lifetime }: Lifetime & { readonly roles: readonly string[] },
): Promise<string> {
  const { publicKey } = await readRequest(request);
  const options = { lifetimeMs: userLifetimeMs, ...lifetime };
  return issue(ca, { publicKey, subject: subjectOf(roles), names: [] }, 'client', options);
}

/**
 * The certificate of a node for the key of a request, which stays where it was made. Nothing else of the request is looked at: neither its subject nor
 * its names get into the certificate.
 *
 * @param request PKCS #10 in PEM form.
 */
export async function signNodeCSR(
  ca: Identity,
  request: string,
  { uuid, ...lifetime }: Lifetime & { readonly uuid: string },
): Promise<string> {
  const { publicKey } = await readRequest(request);
  const names = [uuidName(await x509(), uuid)];
  return issue(ca, { publicKey, subject: [{ CN: [`node ${uuid}`] }], names }, 'client', lifetime);
}

/**
 * A server certificate for the key of a request, for these IP addresses and DNS names. Nothing else of the request is looked at:
 * neither its subject nor its extensions get into the certificate.
 *
 * @param request PKCS #10 in PEM form.
 */
export async function signServerCSR(
  ca: Identity,
  request: string,
  options: Lifetime & { readonly names: readonly string[] },
): Promise<string> {
  const { publicKey } = await readRequest(request);
  const names = alternativeNames(await x509(), options.names);
  const subject = [{ CN: [options.names[0] ?? 'node'] }];
  return issue(ca, { publicKey, subject, names }, 'server', options);
}

/** A certificate with a new key for a client that is known by a name, as users of a kvstore are; without roles unless it gets some. */
export async function issueNamedClient(
  ca: Identity,
  {
    commonName,
    roles = [],
    ...lifetime
  }: Lifetime & { readonly commonName: string; readonly roles?: readonly string[] },
): Promise<Identity> {
  const key = await generateKey();
  const subject = [{ CN: [commonName] }, ...subjectOf(roles)];
  const crt = await issue(ca, { publicKey: keyPair(key).publicKey, subject, names: [] }, 'client', lifetime);
  return { crt, key };
}

/** What a node shows before it has a configuration, and the fingerprint that its console prints. */
export type MaintenanceIdentity = Identity & { readonly fingerprint: string };

/** A server certificate that is signed by its own key: encryption without identity. It can't sign others. */
export async function createMaintenanceIdentity({
  names,
  ...lifetime
}: Lifetime & { readonly names: readonly string[] }): Promise<MaintenanceIdentity> {
  const library = await x509();
  const key = await generateKey();
  const keys = keyPair(key);
  const certificate = await library.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [names[0] ?? 'node'] }, { OU: ['maintenance'] }],
    ...validity(lifetime, userLifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [...leafExtensions(library, 'server'), ...alternativeNames(library, names)],
  });
  const crt = pemOf(certificate);
  return { crt, key, fingerprint: fingerprint(crt) };
}

type Subject = {
  readonly publicKey: X509.PublicKeyType;
  readonly subject: X509.JsonName;
  readonly names: readonly X509.Extension[];
};

async function issue(ca: Identity, subject: Subject, usage: Usage, lifetime: Lifetime): Promise<string> {
  const authority = await readAuthority(ca);
  const library = await x509();
  const certificate = await library.X509CertificateGenerator.create({
    subject: subject.subject,
    issuer: authority.subjectName.toJSON(),
    ...validity(lifetime, shortLifetimeMs),
    signingAlgorithm: algorithm,
    publicKey: subject.publicKey,
    signingKey: keyPair(ca.key).privateKey,
    extensions: [
      ...leafExtensions(library, usage),
      await library.SubjectKeyIdentifierExtension.create(subject.publicKey),
      // Two authorities of one name overlap during a rotation: the key tells them apart.
      await library.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      ...subject.names,
    ],
  });
  return pemOf(certificate);
}

function leafExtensions(
  {
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
  }: typeof X509,
  usage: Usage,
): X509.Extension[] {
  const extended = usage === 'client' ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth;
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([extended]),
  ];
}
