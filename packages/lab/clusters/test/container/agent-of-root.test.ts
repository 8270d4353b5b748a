import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { agentOfRoot } from '../../src/container/agent-of-root.ts';

test('a node of another release is started by what that calls its agent', async (t) => {
  const root = await temporaryDirectory(t);
  const refused = { code: 'ERR_CLUSTER_IMAGE', message: /is no root of the node OS/ };
  await t.throwsAsync(agentOfRoot(root), refused);
  await mkdir(join(root, 'usr/lib/nodeos'), { recursive: true });
  const tell = async (program: string): Promise<void> => {
    const words = ['/usr/bin/setpriv', '--no-new-privs', '--', '/usr/bin/node', program, '--image', ''];
    await writeFile(join(root, 'usr/lib/nodeos/agent.arguments'), words.join('\n'));
  };
  for (const program of ['/usr/lib/nodeos/agent.cjs', '/usr/lib/nodeos/agent.mjs']) {
    await tell(program);
    t.is(await agentOfRoot(root), program);
  }
  await tell('/tmp/agent.cjs');
  await t.throwsAsync(agentOfRoot(root), refused);
});
