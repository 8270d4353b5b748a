import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import type { NodeSecrets } from './secrets.ts';

/** A client config with a new administrator, as text. */
export async function osconfigText(
  name: string,
  endpoints: readonly string[],
  { certs: { os } }: Pick<NodeSecrets, 'certs'>,
): Promise<string> {
  const crt = Buffer.from(os.crt, 'base64').toString('utf8');
  using authorityKey = Secret.take(Buffer.from(os.key, 'base64'));
  const admin = await pki.issueClient({ crt, key: authorityKey }, { roles: ['os:admin'] });
  using key = admin.key;
  const config = Osconfig.empty('osconfig');
  config.set(name, { endpoints, ca: crt, crt: admin.crt, key });
  config.use(name);
  return config.encode().toString('utf8');
}
