import { lstat } from 'node:fs/promises';

import { type Role, loadOsconfig, Osconfig, roles as knownRoles } from '@nodecore/api';
import { printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';

import type { GlobalFlags } from '../flags.ts';
import { writeFiles } from '../gen/files.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type NewFlags = GlobalFlags & {
  readonly roles: readonly string[];
  /** Milliseconds. */
  readonly crtTtl: number;
  readonly json?: true;
};

/**
 * Writes a client config with a new certificate that a control plane has issued. The key is made here, and never leaves.
 *
 * @throws {UsageError} for a role that is none, and for a file that is there, before the node is asked.
 */
export async function newConfig(path: string, flags: NewFlags, terminal: Terminal): Promise<void> {
  const { roles, crtTtl } = flags;
  const format = await readFormat(flags.json === true ? 'json' : 'table');
  const unknown = roles.find((role) => !knownRoles.includes(role as Role));
  if (unknown !== undefined)
    throw new UsageError(`--roles: ${JSON.stringify(unknown)} is none of ${knownRoles.join(', ')}`);
  if ((await lstat(path).catch(() => undefined)) !== undefined)
    throw new UsageError(`${path} exists; name another file`);
  const { osconfig } = await loadOsconfig({ flag: flags.osconfig, env: terminal.env });
  const present = osconfig.context(flags.context);
  present.key?.[Symbol.dispose]();
  using key = await pki.generateKey();
  const csr = await pki.createCSR(key);
  const { ca, crt, clusterName } = await onlyNode(flags, terminal, ({ client, node }) =>
    client.generateClientConfiguration(
      { roles: [...roles], ttlMillis: BigInt(crtTtl), csr },
      { node, signal: terminal.signal },
    ),
  );
  const cluster = clusterName === '' ? present.name : clusterName;
  const name = roles.length === 1 ? `${roles[0]}@${cluster}` : cluster;
  const { endpoints, nodes, cluster: behind, proxyUrl } = present;
  const config = Osconfig.empty(path);
  config.set(name, {
    endpoints: flags.endpoints ?? endpoints,
    nodes,
    ca,
    crt,
    key,
    ...(behind && { cluster: behind }),
    ...(proxyUrl && { proxyUrl }),
  });
  config.use(name);
  await writeFiles([{ path, content: config.encode(), secret: true }], {
    force: false,
    terminal,
    format: 'table',
  });
  await printFound(terminal, format, [{ file: path, context: name, roles }], {
    single: true,
    text: () => '',
  });
}
