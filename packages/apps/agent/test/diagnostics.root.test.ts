import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { command, findProgram, program, root, testWith } from '@nodecore/testkit';
import { decode_bytes as decode } from '@vscode/v8-heap-parser';

import { osctl } from '../../osctl/test/command-line.ts';
import { authority } from './documents.ts';
import { operatedAgent } from './operated-agent.ts';

const ca = await authority();

/** The part of a `.cpuprofile` that readers need: a tree of calls, and which of them ran at each look. */
type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

testWith(root)('where the time and the memory of an agent go is saved for its administrators', async (t) => {
  const { agent, directory, as } = await operatedAgent(t, ca);
  const env = await as('os:admin');

  const cpu = join(directory, 'agent.cpuprofile');
  const watched = await osctl(['inspect', 'cpu-profile', '--duration', '300ms', '-o', cpu, '--json'], {
    env,
  });
  t.is(watched.code, 0, watched.error);
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(
    await readFile(cpu, 'utf8'),
  ) as CpuProfile;
  const ids = new Set(nodes.map(({ id }) => id));
  t.true(samples.length > 0 && samples.every((id) => ids.has(id)));
  t.is(timeDeltas.length, samples.length);
  t.true(endTime - startTime >= 300_000, `${endTime - startTime} µs`);
  t.true(nodes.every(({ children = [] }) => children.every((id) => ids.has(id))));
  t.true(nodes.some(({ callFrame }) => callFrame.functionName === '(idle)'));

  const heap = join(directory, 'agent.heapsnapshot');
  const saved = await osctl(['inspect', 'heap-snapshot', '-o', heap], { env });
  t.is(saved.code, 0, saved.error);
  t.regex(
    saved.out,
    /^127\.0\.0\.1:\d+: \S+\.heapsnapshot, [\d.]+ MB; the agent did nothing else for \d+ ms\n$/u,
  );
  t.true(saved.error.includes('secrets too: keep it like a key'), saved.error);
  t.is((await stat(heap)).mode & 0o777, 0o600);
  const graph = decode(await readFile(heap));
  t.deepEqual([...graph.get_class_counts(['ApiServer', 'Profiles', 'NobodyHasThis'])], [1, 1, 0]);

  await agent.lineWith(({ action, outcome }) => action === 'heap-snapshot' && outcome === 'done');
  const actions = agent.lines.flatMap((line) => {
    if (!line.startsWith('{')) return []; // the first ones are for people
    const { action, outcome, roles } = JSON.parse(line) as Record<string, unknown>;
    return action === 'cpu-profile' || action === 'heap-snapshot' ? [{ action, outcome, roles }] : [];
  });
  t.deepEqual(
    actions,
    ['cpu-profile', 'heap-snapshot'].flatMap((action) =>
      ['begun', 'done'].map((outcome) => ({ action, outcome, roles: ['os:admin'] })),
    ),
  );

  const refused = await osctl(['inspect', 'heap-snapshot', '-o', join(directory, 'no')], {
    env: await as('os:operator'),
  });
  t.is(refused.code, 4, refused.error);
  await t.throwsAsync(stat(join(directory, 'no')), { code: 'ENOENT' });
  t.is(
    (await osctl(['inspect', 'heap-snapshot', '-o', heap], { env })).code,
    2,
    'a file that is there stays',
  );
});

testWith(root)('what osctl says of a call that failed is found in the log of the agent', async (t) => {
  const { agent, as } = await operatedAgent(t, ca);
  const { code, error } = await osctl(['service', 'nosuch', 'stop'], { env: await as('os:operator') });
  t.is(code, 3, error);
  const [, id = ''] = /^osctl: .* \(request ([0-9a-f]{16})\)\n$/u.exec(error) ?? [];
  t.not(id, '', error);
  const line = await agent.lineWith(({ requestId, msg }) => requestId === id && msg === 'call');
  t.is(line['status'], 'NOT_FOUND');
});

testWith(root, program('promtool'))('promtool finds nothing wrong with what an agent serves', async (t) => {
  const { agent, as } = await operatedAgent(t, ca, { flags: ['--metrics', '127.0.0.1:0'] });
  await osctl(['service', 'nosuch', 'stop'], { env: await as('os:operator') });
  const { port } = await agent.line('metrics');
  const input = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  t.regex(input, /^nodeos_api_calls_total\{.*NOT_FOUND.*\} 1$/mu);
  const { code, stdout, stderr } = await command([findProgram('promtool') ?? '', 'check', 'metrics'], {
    input,
  });
  t.deepEqual([code, stdout + stderr], [0, '']);
});
