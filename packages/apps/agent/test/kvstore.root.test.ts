import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { etcdProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import {
  clientOf,
  configure,
  kvstoreDocument,
  type MemberSpec,
  ownAddress,
  untilMember,
} from './kvstore-agent.ts';

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a node without data waits to be bootstrapped, and its member lives and ends with the agent', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory, ['--metrics', '127.0.0.1:0']);
  await configure(agent, directory, kvstoreDocument(ownAddress()));
  const admin = await clientOf(t, [agent]);
  await agent.line('the member of the kvstore waits');
  const before = await metricsOf(agent);
  t.regex(before, /^nodeos_kvstore_member_phase\{phase="waiting"\} 1$/m);
  t.notRegex(before, /^nodeos_kvstore_(?:db_bytes|member_healthy)/m, 'nobody knows it');
  const early = await admin(['kvstore', 'status']);
  t.is(early.code, 1);
  t.regex(early.error, /run osctl bootstrap on one node/);
  const isNamed = 'jsonpath=.spec.status.unmetConditions[0].name=kvstore';
  const shown = await admin(['wait', 'machinestatus', 'machine', '--for', isNamed, '-o', 'json']);
  const lacking = JSON.parse(shown.out) as { readonly spec: object };
  t.like(lacking.spec, {
    stage: 'running',
    status: {
      ready: false,
      unmetConditions: [
        { name: 'kvstore', reason: 'it has no data: run osctl bootstrap on one node of the cluster' },
      ],
    },
  });

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
  t.regex(String(status['storageVersion']), /^3\.\d+\.0$/);
  t.is(status['member'], status['leader']);
  t.true(bootstrapped.out.includes(String(status['member'])));

  const operator = await clientOf(t, [agent], 'os:operator');
  const backup = await clientOf(t, [agent], 'os:kvstore:backup');
  t.is((await operator(['kvstore', 'status'])).code, 0);
  t.is((await backup(['kvstore', 'status'])).code, 0);
  t.is((await backup(['bootstrap'])).code, 4);
  t.is((await operator(['bootstrap'])).code, 4);

  const [member] = JSON.parse((await admin(['get', 'kvstoremembers', '-o', 'json'])).out) as [
    { readonly spec: Record<string, unknown> },
  ];
  t.like(member.spec, { phase: 'running', healthy: true, restarts: 0, memberID: status['member'] });
  const pid = Number(member.spec['pid']);
  // The socket asks nobody who they are, so that nobody else may come to it.
  const own = await stat(join(directory, 'run/kvstore'));
  t.is(own.mode & 0o777, 0o700);
  t.true((await stat(join(directory, 'run/kvstore/client'))).isSocket());
  const nobody = ['--reuid=65534', '--clear-groups', '--regid=65534'];
  const client = [etcdProgram('etcdctl'), `--endpoints=unix://${directory}/run/kvstore/client`, 'get', 'x'];
  const refused = await promisify(execFile)('setpriv', [...nobody, ...client]).catch(
    (error: unknown) => error,
  );
  t.regex(String((refused as { stderr?: unknown }).stderr), /permission denied/);
  const metrics = await metricsOf(agent);
  for (const line of ['member_phase{phase="running"} 1', 'member_healthy 1', 'member_is_leader 1'])
    t.true(metrics.includes(`\nnodeos_kvstore_${line}\n`), metrics);
  t.regex(metrics, /^nodeos_kvstore_db_bytes \d{5,}$/m);
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

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a second node joins as a learner, gets its vote, leads, leaves, and stays out', async (t) => {
  t.timeout(180_000);
  const { first, second, two, admin, joined, address } = await twoMembers(t);

  const both = await clientOf(t, [first, second]);
  const members = JSON.parse((await both(['kvstore', 'members', '-o', 'json'])).out) as Listed[];
  t.is(members.length, 4, 'each node says what its own member knows');
  t.deepEqual(new Set(members.map(({ id }) => id)).size, 2);
  t.true(members.some(({ hostname, learner }) => hostname === 'b' && !learner));
  const { peers } = await untilMember(t, second, (known) => known['peers'] !== undefined);
  t.deepEqual(peers, [address], 'and where the other is');
  const table = await both(['kvstore', 'members']);
  t.regex(table.out, /^NODE +ID +HOSTNAME +PEER URLS +CLIENT URLS +LEARNER\n/);
  const alarms = await both(['kvstore', 'alarm', 'list']);
  t.deepEqual([alarms.code, alarms.out, alarms.error], [0, '', '']);
  t.is((await both(['kvstore', 'alarm', 'disarm'])).code, 0);

  const forfeited = await admin(['kvstore', 'forfeit-leadership']);
  t.is(forfeited.code, 0, forfeited.error);
  t.regex(forfeited.error, /b leads now/);
  const remove = await admin(['kvstore', 'remove-member', String(joined['memberID'])]);
  t.is(remove.code, 1);
  t.regex(remove.error, /leave/);
  t.is((await admin(['kvstore', 'remove-member', 'xyz'])).code, 2);
  const downgrade = (...words: string[]) => admin(['kvstore', 'downgrade', ...words]);
  t.is((await downgrade('validate', '3.9')).code, 1);
  t.is((await downgrade('cancel')).code, 1, 'there is none');
  const enabled = await downgrade('enable', '3.4');
  t.regex(enabled.out, /downgrade enable success, cluster version 3\.5/u, enabled.error);
  t.is((await downgrade('enable', '3.4')).code, 1, 'it is enabled already');
  t.regex((await downgrade('cancel')).out, /downgrade cancel success/u);
  t.is((await both(['kvstore', 'leave', '--yes'])).code, 2, 'one node at a time');

  const other = await clientOf(t, [second]);
  const left = await other(['kvstore', 'leave', '--yes']);
  t.is(left.code, 0, left.error);
  await untilMember(t, second, ({ phase, reason }) => phase === 'waiting' && /left/.test(String(reason)));
  const rest = JSON.parse((await admin(['kvstore', 'members', '-o', 'json'])).out) as Listed[];
  t.is(rest.length, 1);
  t.deepEqual(
    (await readdir(`${two}/state/kvstore`)).filter((name) => name !== 'left'),
    [],
  );
});

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a member that the others have removed says so, and leaving takes its data away', async (t) => {
  t.timeout(180_000);
  const { second, two, admin, joined } = await twoMembers(t);
  const { memberID } = joined;

  for (;;) {
    const { code, error } = await admin(['kvstore', 'remove-member', String(memberID), '--force']);
    if (code === 0) break;
    t.regex(error, /unhealthy cluster; its members must have seen each other for 5 s: try again/);
  }
  const { reason } = await untilMember(t, second, ({ phase }) => phase === 'removed');
  t.regex(String(reason), /the others have removed it: osctl kvstore leave takes its data away/);
  const other = await clientOf(t, [second]);
  const early = await other(['kvstore', 'status']);
  t.is(early.code, 1);
  t.regex(early.error, /removed: the others have removed it: osctl kvstore leave/);
  const left = await other(['kvstore', 'leave', '--yes']);
  t.is(left.code, 0, left.error);
  t.deepEqual(await readdir(`${two}/state/kvstore`), ['left']);
  await untilMember(t, second, ({ phase, reason: why }) => phase === 'waiting' && /left/.test(String(why)));
});

/** A member, its administrator, and a node that has joined it and has its vote. */
async function twoMembers(t: ExecutionContext) {
  const [one, two] = [await temporaryDirectory(t), await temporaryDirectory(t)];
  const [first, second] = [
    await AgentProcess.start(t, one),
    await AgentProcess.start(t, two, [], named('b')),
  ];
  const address = ownAddress();
  await configure(first, one, kvstoreDocument(address));
  const admin = await clientOf(t, [first]);
  t.is((await admin(['bootstrap'])).code, 0);
  await configure(second, two, kvstoreDocument(ownAddress(), [`endpoints: [https://${address}:2379]`]));
  return { first, second, two, admin, address, joined: await untilMember(t, second, hasVote) };
}

async function metricsOf(agent: AgentProcess): Promise<string> {
  const { host, port } = await agent.line('metrics');
  const response = await fetch(`http://${String(host)}:${String(port)}/metrics`);
  return await response.text();
}

function hasVote({ phase, learner, healthy }: MemberSpec): boolean {
  return phase === 'running' && learner === false && healthy === true;
}

type Listed = { readonly id: string; readonly hostname: string; readonly learner: boolean };

/** A host name of its own: members of one machine would have the same. */
function named(name: string): readonly string[] {
  return ['unshare', '--uts', 'sh', '-c', `hostname ${name}; exec "$@"`, 'sh'];
}
