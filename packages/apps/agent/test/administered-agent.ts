import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, Osconfig } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';

export const ca = await authority();

/** An agent with a configuration, and an osconfig of its administrator. */
export async function administeredAgent(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const { endpoint } = agent;
  {
    await using anybody = connect({ endpoint, insecure: true });
    await anybody.applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  }
  const shown = await pki.issueClient(ca, { roles: ['os:admin'] });
  const path = join(directory, 'osconfig');
  const config = Osconfig.empty(path);
  config.set('test', { endpoints: [endpoint], ca: ca.crt, crt: shown.crt, key: shown.key });
  config.use('test');
  await writeFile(path, config.encode());
  /** Another life of it, when this one is over. */
  const again = (): Promise<AgentProcess> => AgentProcess.start(t, directory, ['--listen', endpoint]);
  return { agent, endpoint, shown, env: { OSCONFIG: path }, again };
}
