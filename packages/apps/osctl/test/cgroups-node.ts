import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Cgroups } from '../../agent/src/cgroups/cgroups.ts';
import { ca, readerNode } from '../../agent/test/reader-node.ts';
import { osctl, type Outcome, type RunOptions } from './command-line.ts';

export type Run = (args: readonly string[], options?: RunOptions) => Promise<Outcome>;

/** Runs command lines against the agent's own API, as who may only read. */
export async function cgroupsOf(
  t: ExecutionContext,
  nodes: readonly Cgroups[] = [new Cgroups()],
  role = 'os:reader',
): Promise<{ readonly run: Run; readonly endpoints: readonly string[] }> {
  const endpoints = await Promise.all(nodes.map((cgroups) => readerNode(t, cgroups)));
  const path = join(await temporaryDirectory(t), 'config');
  const { crt, key } = await pki.issueClient(ca, { roles: [role] });
  const config = Osconfig.empty(path);
  config.set('test', { endpoints, nodes: endpoints, ca: ca.crt, crt, key });
  config.use('test');
  await writeFile(path, config.encode());
  const run: Run = (args, options) => osctl(args, { ...options, env: { OSCONFIG: path } });
  return { run, endpoints };
}
