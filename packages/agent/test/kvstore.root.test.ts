import { readdir } from 'node:fs/promises';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { AgentProcess } from './agent-process.ts';
import { clientOf, configure, kvstoreDocument, ownAddress, untilMember } from './kvstore-agent.ts';

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a node without data waits to be bootstrapped, and its member lives and ends with the agent', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  await configure(agent, directory, kvstoreDocument(ownAddress()));
  const admin = await clientOf(t, [agent]);
  await agent.line('the member of the kvstore waits');
  const early = await admin(['kvstore', 'status']);
  t.is(early.code, 1);
  t.regex(early.error, /run osctl bootstrap on one node/);

  const bootstrapped = await admin(['bootstrap']);
  t.is(bootstrapped.code, 0, bootstrapped.error);
  t.regex(bootstrapped.out, /the kvstore runs, member [0-9a-f]{16}\n$/);
  const again = await admin(['bootstrap']);
  t.is(again.code, 1);
  t.regex(again.error, /there is a member of the kvstore in .* already/);

  const { out, code, error } = await admin(['kvstore', 'status']);
  t.is(code, 0, error);
  t.regex(out, /^NODE +MEMBER +DB SIZE +IN USE +LEADER +RAFT INDEX +RAFT TERM +RAFT APPLIED INDEX +LEARNER/);
  const [status] = JSON.parse((await admin(['kvstore', 'status', '-o', 'json'])).out) as [
    Record<string, unknown>,
  ];
  t.like(status, { node: agent.endpoint, learner: false, errors: [] });
  t.is(status['member'], status['leader']);
  t.true(bootstrapped.out.includes(String(status['member'])));

  const operator = await clientOf(t, [agent], 'os:operator');
  const backup = await clientOf(t, [agent], 'os:kvstore:backup');
  t.is((await operator(['kvstore', 'status'])).code, 0);
  t.is((await backup(['kvstore', 'status'])).code, 4);
  t.is((await operator(['bootstrap'])).code, 4);

  const [member] = JSON.parse((await admin(['get', 'kvstoremembers', '-o', 'json'])).out) as [
    { readonly spec: Record<string, unknown> },
  ];
  t.like(member.spec, { phase: 'running', healthy: true, restarts: 0, memberID: status['member'] });
  const pid = Number(member.spec['pid']);
  process.kill(pid, 'SIGKILL');
  await agent.line('etcd ended by itself');
  await untilMember(t, agent, ({ phase, restarts }) => phase === 'running' && restarts === 1);
  t.is((await admin(['kvstore', 'status'])).code, 0);
  t.is(await agent.stop(), 0);
  t.false((await readdir('/proc')).includes(String(pid)));
  t.deepEqual(
    agent.lines.filter((line) => line.includes('PRIVATE KEY')),
    [],
  );
});
