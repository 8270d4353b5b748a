import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { pressureDecisions, pressurePolicies } from '../src/pressure/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority } from './documents.ts';
import {
  clientOf,
  configure,
  controlGroups,
  frozen,
  policyDocument,
  until,
  within,
} from './pressure-agent.ts';

const test = testWith(root);
const ca = await authority();

/** What waits for processors below the test's cgroup is frozen. */
function document(above: string, fields: string): string {
  const name = `/${above.split('/').at(-1)}`;
  return policyDocument(
    ca,
    `name: processors
trigger: {resource: cpu, kind: some, stall: 100ms, window: 2s, cgroup: ${name}}
cgroupRankingExpression: 'cpu_some_avg10.orValue(0.0)'
cgroups: [{match: ${name}/*, class: Besteffort}]
${fields}`,
  );
}

const spinning = 'for i in 1 2 3; do sh -c "while :; do :; done" & done; while :; do :; done';

test('exactly the cgroup that presses is frozen, an agent that was killed thaws it, and one that ends, too', async (t) => {
  t.timeout(120_000);
  const above = await controlGroups(t, ['hog', 'bystander']);
  const hog = join(above, 'hog');
  const bystander = await within(t, join(above, 'bystander'), 'sleep 1000');
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const text = document(above, 'action: freeze\nrelease: {after: 1m}');
  const reader = await configure(t, agent, { directory, ca, text });
  t.like(await until(reader, pressurePolicies.type, ({ phase }) => phase === 'watching'), {
    resource: 'cpu',
    action: 'freeze',
    dryRun: false,
  });
  await within(t, hog, spinning);
  const decision = await until(reader, pressureDecisions.type, ({ outcome }) => outcome === 'done');
  t.is(decision['victim'].path, `/${above.split('/').at(-1)}/hog`);
  t.is(decision['victim'].processCount, 4);
  t.false(decision['trigger'].sampled);
  t.true(decision['trigger'].reading.some.totalUs >= 100_000);
  t.true(frozen(hog));
  t.false(frozen(join(above, 'bystander')));
  t.is(bystander.exitCode ?? bystander.signalCode, null);

  await agent.kill();
  t.true(frozen(hog), 'nobody thawed it');
  const next = await AgentProcess.start(t, directory);
  const again = await clientOf(t, next, ca, 'os:reader');
  const released = await until(again, pressureDecisions.type, (spec) => spec['released'] !== undefined);
  t.is(released['released'].reason, 'restart');
  t.is(released['time'], decision['time'], 'the decision outlived the agent');
  await until(again, pressurePolicies.type, ({ held }) => held.length === 1);
  t.true(frozen(hog), 'it presses again');
  t.is(await next.stop(), 0);
  t.false(frozen(hog), 'the agent leaves nobody frozen');
});

test('a policy that is taken out of the configuration, or told to try only, thaws what it froze', async (t) => {
  t.timeout(120_000);
  const above = await controlGroups(t, ['hog']);
  const hog = join(above, 'hog');
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const text = document(above, 'action: freeze');
  const reader = await configure(t, agent, { directory, ca, text });
  await within(t, hog, spinning);
  await until(reader, pressurePolicies.type, ({ held }) => held.length === 1);
  t.true(frozen(hog));
  const admin = await clientOf(t, agent, ca, 'os:admin');
  const dry = document(above, 'action: kill\ndryRun: true');
  await admin.applyConfiguration({ data: Buffer.from(dry) });
  t.false(frozen(hog));
  const decision = await until(reader, pressureDecisions.type, ({ outcome }) => outcome === 'dryRun');
  t.like(decision, { action: 'kill', dryRun: true });
  t.true(readFileSync(join(hog, 'cgroup.events'), 'utf8').includes('populated 1'));
  t.is(await agent.stop(), 0, agent.lines.slice(-30).join('\n'));
});
