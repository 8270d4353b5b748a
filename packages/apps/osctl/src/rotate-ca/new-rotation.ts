import { rolesOf } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import { isSame } from './certificates.ts';
import type { AuthorityName } from './configured.ts';
import { RotationError } from './errors.ts';
import type { Seen } from './look.ts';
import type { Credentials } from './rotating-node.ts';
import type { Exchange, Pair, Rotation } from './rotation-file.ts';

/**
 * New authorities in place of those that the control planes have now, and a certificate for who rotates, with the roles and
 * the lifetime that the present one has.
 *
 * @throws {RotationError} `ERR_ROTATION_NODE` when control planes have different ones.
 */
export async function newRotation(
  seen: readonly Seen[],
  names: readonly AuthorityName[],
  context: string,
  present: Credentials,
): Promise<Rotation> {
  const [os, orch] = await Promise.all([
    names.includes('os') ? exchangeFor(seen, 'os') : undefined,
    names.includes('orch') ? exchangeFor(seen, 'orch') : undefined,
  ]);
  const client =
    os === undefined ? undefined : { former: present, next: await clientOf(os.next, present.crt) };
  return { context, ...(os && { os }), ...(orch && { orch }), ...(client && { client }) };
}

async function exchangeFor(seen: readonly Seen[], name: AuthorityName): Promise<Exchange | undefined> {
  const owners = seen.filter(({ configuration }) => configuration.isControlPlane);
  const [first, ...others] = owners.flatMap(({ node, configuration }) => {
    const crt = configuration.authority(name)?.own;
    return crt === undefined ? [] : [{ crt, node: node.name }];
  });
  if (first === undefined) return undefined; // of the orchestrator, where there is none
  const other = others.find(({ crt }) => !isSame(crt, first.crt));
  if (other !== undefined)
    throw new RotationError(
      'ERR_ROTATION_NODE',
      `${first.node} and ${other.node} have different authorities (${name}): a rotation has begun; name its file with --rotation-file`,
    );
  const { O: organization, CN: commonName } = subjectOf(first.crt);
  const made =
    name === 'os'
      ? await pki.createCA(organization ?? 'os')
      : await pki.createWebAuthority(organization ?? '', commonName === undefined ? {} : { commonName });
  return { former: { crt: first.crt }, next: taken(made) };
}

async function clientOf({ crt, key }: Pair, present: string): Promise<Pair> {
  const certificate = pki.readCertificate(present);
  const lifetimeMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime();
  const { CN: commonName } = subjectOf(present);
  const roles = [...rolesOf(certificate.toLegacyObject())];
  using secret = Secret.take(Buffer.from(key));
  const authority = { crt, key: secret };
  const made =
    commonName === undefined
      ? pki.issueClient(authority, { roles, lifetimeMs })
      : pki.issueNamedClient(authority, { commonName, roles, lifetimeMs });
  return taken(await made);
}

/** A text goes into the file, and can't be wiped. */
function taken({ crt, key }: pki.Identity): Pair {
  using secret = key;
  return { crt, key: secret.bytes.toString('utf8') };
}

function subjectOf(crt: string): { readonly O?: string; readonly CN?: string } {
  const { subject } = pki.readCertificate(crt).toLegacyObject();
  const [[organization], [commonName]] = [[subject?.O].flat(), [subject?.CN].flat()];
  return { ...(organization && { O: organization }), ...(commonName && { CN: commonName }) };
}
