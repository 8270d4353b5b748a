import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { AgentProcess } from './agent-process.ts';
import { clientOf, configure, kvstoreDocument, ownAddress, untilMember } from './kvstore-agent.ts';

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a node of type init begins the kvstore by itself, once, and is not bootstrapped', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const text = kvstoreDocument(ownAddress()).replace('type: controlplane', 'type: init');
  await configure(agent, directory, text);
  const first = await untilMember(t, agent, ({ phase, healthy }) => phase === 'running' && healthy === true);
  t.is(first['restarts'], 0);
  const admin = await clientOf(t, [agent]);
  const refused = await admin(['bootstrap']);
  t.is(refused.code, 1);
  t.regex(refused.error, /type init: it begins the kvstore by itself, once/u);

  // Its data is lost: others may have been in that cluster, so it does not begin a second one.
  await agent.stop();
  await rm(join(directory, 'state/kvstore'), { recursive: true });
  const later = await AgentProcess.start(t, directory);
  const { reason, idle = false } = await untilMember(
    t,
    later,
    ({ phase, reason: why }) => phase === 'running' || (phase === 'waiting' && why !== 'it begins'),
  );
  t.regex(String(reason), /it has begun the kvstore once, and the data is gone/u);
  t.false(idle, 'a release under which that comes to light is none that is good');
});
