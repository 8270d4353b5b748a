import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, Osconfig } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import { type Authority, rootDocument } from './documents.ts';

type Options = {
  /** What the machine is given; by default a root document alone. */
  readonly configuration?: string;
  readonly flags?: readonly string[];
};

/** An agent that has its configuration, and what osctl needs to reach it with a role. */
export async function operatedAgent(
  t: ExecutionContext,
  ca: Authority,
  { configuration = rootDocument(ca), flags = [] }: Options = {},
) {
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory, flags);
  {
    await using anybody = connect({ endpoint: agent.endpoint, insecure: true });
    await anybody.applyConfiguration({ data: Buffer.from(configuration), mode: ApplyMode.AUTO });
  }
  const as = async (role: string): Promise<{ readonly OSCONFIG: string }> => {
    const { crt, key } = await pki.issueClient(ca, { roles: [role] });
    const path = join(directory, `osconfig-${role.replaceAll(':', '-')}`);
    const config = Osconfig.empty(path);
    config.set('test', { endpoints: [agent.endpoint], ca: ca.crt, crt, key });
    config.use('test');
    await writeFile(path, config.encode());
    return { OSCONFIG: path };
  };
  return { agent, directory, as };
}
