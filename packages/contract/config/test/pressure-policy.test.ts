import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parse as parseYaml } from 'yaml';

import type { Candidate, Observation } from '@nodecore/pressure-policy';
import { jsonSchema, parse, type PressurePolicy, type TriggerEnvironment } from '@nodecore/config';
import { refused, unmark, warned } from './fixtures/marked.ts';
import { codesOf } from './fixtures/problems.ts';

const document = (fields: string = ''): string => `apiVersion: v1alpha1\nkind: OOMConfig\n${fields}\n`;

function policyOf(fields: string): PressurePolicy {
  using configuration = parse(document(fields));
  const [policy] = configuration.all('OOMConfig');
  if (policy === undefined) throw new TypeError('no policy');
  return policy;
}

const mib = 2 ** 20;
const line = (avg10: number, totalUs: bigint) => ({ avg10, avg60: 2, avg300: 3, totalUs });
const nothing = { cpu: undefined, memory: undefined, io: undefined, irq: undefined };

function candidate(facts: Partial<Candidate> = {}): Candidate {
  return {
    id: 1,
    path: '/kubepods/besteffort/pod1',
    takenNs: 0n,
    class: 'Besteffort',
    populated: true,
    frozen: false,
    memoryCurrent: 100 * mib,
    memoryPeak: 200 * mib,
    memoryMax: Infinity,
    memorySwapCurrent: undefined,
    memoryGrowth: undefined,
    pressure: nothing,
    ...facts,
  };
}

test('a document without fields is a policy that kills the largest that can be spared', (t) => {
  const policy = policyOf('');
  t.is(policy.id, 'oom');
  t.deepEqual(policy.trigger, { resource: 'memory', kind: 'some', stallUs: 200_000, windowUs: 2_000_000 });
  t.deepEqual(policy.action, { kind: 'kill' });
  t.deepEqual(policy.protectedClasses, ['System', 'Podruntime']);
  t.deepEqual(policy.cgroups, []);
  t.true(policy.strictClassOrdering);
  t.false(policy.dryRun);
  t.is(policy.sampleIntervalMs, 500);
  const { ranking } = policy;
  t.deepEqual(ranking.rank(candidate()), { score: 100 * mib });
  t.deepEqual(ranking.rank(candidate({ class: 'Burstable' })), { score: 50 * mib });
  t.deepEqual(ranking.rank(candidate({ class: 'Guaranteed' })), { score: 0 });
  // The kernel looks after those that have a limit.
  t.deepEqual(ranking.rank(candidate({ memoryMax: 300 * mib })), { score: 0 });
});

test('every field is read', (t) => {
  const policy = policyOf(`name: batch
trigger: {resource: io, kind: full, stall: 150ms, window: 1s, cgroup: /kubepods}
triggerExpression: io_full_avg10 > 20.0
cgroupRankingExpression: 'class == Besteffort ? memory_full_avg10.orValue(0.0) : 0.0'
strictCgroupClassOrdering: false
sampleInterval: 1s
cgroups: [{match: /batch/*, class: Besteffort}]
protectedClasses: [System, Guaranteed]
action: memory.high
size: 512MiB
release: {after: 1m, atLatest: 1h}
dryRun: true`);
  t.is(policy.id, 'batch');
  t.deepEqual(policy.trigger, {
    resource: 'io',
    kind: 'full',
    stallUs: 150_000,
    windowUs: 1_000_000,
    cgroup: '/kubepods',
  });
  t.false(policy.strictClassOrdering);
  t.is(policy.sampleIntervalMs, 1000);
  t.deepEqual(policy.cgroups, [{ match: '/batch/*', class: 'Besteffort' }]);
  t.deepEqual(policy.protectedClasses, ['System', 'Guaranteed']);
  t.deepEqual(policy.action, {
    kind: 'memory.high',
    size: { kind: 'bytes', bytes: 512n << 20n, negative: false, text: '512MiB' },
    release: { afterMs: 60_000, atLatestMs: 3_600_000 },
  });
  t.true(policy.dryRun);
});

test('what the victim keeps or gives has a usual size', (t) => {
  const sizes = ['memory.high', 'memory.reclaim'].map((action) => policyOf(`action: ${action}`).action);
  t.deepEqual(
    sizes.map((action) => ('size' in action ? action.size.text : '')),
    ['80%', '25%'],
  );
  t.deepEqual(policyOf('action: freeze').action, {
    kind: 'freeze',
    release: { afterMs: 10_000, atLatestMs: 600_000 },
  });
});

/** What the modelled system has for its own trigger. */
const severe = `triggerExpression: >-
  multiply_qos_vectors(d_qos_memory_full_total, {System: 8.0, Podruntime: 4.0}) > 3000.0 &&
  multiply_qos_vectors(qos_memory_full_avg10, {System: 1.0, Podruntime: 1.0}) > 5.0 &&
  time_since_trigger > duration("5s")`;

const second = 1_000_000_000n;

/** The system's services stalled for so many microseconds until then. */
function observation(takenNs: bigint, stallUs: bigint, avg10 = 9): Observation {
  const memory = { some: line(avg10, stallUs), full: line(avg10, stallUs) };
  const pressure = { ...nothing, memory };
  const system = { ...candidate({ id: 7, path: '/system', takenNs, pressure }), class: 'System' as const };
  return { takenNs, machine: pressure, cgroups: [], wholes: [system] };
}

const moments: readonly (readonly [
  what: string,
  elapsedNs: bigint,
  stallUs: bigint,
  sinceNs: bigint | undefined,
  fires: boolean,
])[] = [
  ['much stall in half a second', second / 2n, 1000n, undefined, true],
  // A tick that comes late, as under pressure they do, saw no more stall per second than one in time.
  ['as much stall in 4 seconds', 4n * second, 1000n, undefined, false],
  ['more stall in 4 seconds', 4n * second, 2000n, undefined, true],
  ['an act a moment ago', second / 2n, 1000n, 5n * second, false],
  ['an act long enough ago', second / 2n, 1000n, 5n * second + 1n, true],
  ['no time in between', 0n, 1000n, undefined, false],
  ['a clock that went back', -second, 1000n, undefined, false],
];

for (const [what, elapsedNs, stallUs, sinceTriggerNs, fires] of moments)
  test(`a rate is per second of time that passed: ${what} ${fires ? 'fires' : 'does not fire'}`, (t) => {
    const before = observation(100n * second, 5000n);
    const now = observation(100n * second + elapsedNs, 5000n + stallUs);
    const { triggerExpression } = policyOf(severe);
    t.deepEqual(triggerExpression.evaluate({ now, before, sinceTriggerNs }), { fires });
  });

test('an expression that asks for what the kernel does not account says so, and does not fire', (t) => {
  const { triggerExpression } = policyOf('triggerExpression: d_io_some_total > 1.0');
  const environment: TriggerEnvironment = {
    now: observation(2n * second, 1n),
    before: observation(second, 0n),
    sinceTriggerNs: undefined,
  };
  const { fires, error } = triggerExpression.evaluate(environment);
  t.false(fires);
  t.regex(error ?? '', /d_io_some_total/);
});

test('a cgroup that was made again since the reading before adds nothing to the rate of its class', (t) => {
  const before = observation(second, 9000n);
  const [system] = before.wholes;
  if (system === undefined) throw new TypeError('no system');
  const { triggerExpression } = policyOf('triggerExpression: d_qos_memory_some_total[System] != 0.0');
  const again = { ...observation(2n * second, 9999n), wholes: [{ ...system, id: 8, takenNs: 2n * second }] };
  t.deepEqual(triggerExpression.evaluate({ now: again, before, sinceTriggerNs: 0n }), { fires: false });
});

test('a ranking that can not be evaluated says why, and names the place', (t) => {
  const { ranking } = policyOf("cgroupRankingExpression: 'double(memory_max.value())'");
  const result = ranking.rank(candidate());
  t.regex('error' in result ? result.error : '', /not present.*line 1, column/);
  t.deepEqual(ranking.rank(candidate({ memoryMax: 5 })), { score: 5 });
});

test('a ranking knows growth, pressure and the path', (t) => {
  const { ranking } = policyOf(
    `cgroupRankingExpression: 'glob("/batch/*", path) ? d_memory_current.orValue(0.0) + io_full_avg10.orValue(0.0) : 0.0'`,
  );
  const io = { some: undefined, full: line(25, 0n) };
  const facts = { path: '/batch/a', memoryGrowth: 1000, pressure: { ...nothing, io } };
  t.deepEqual(ranking.rank(candidate(facts)), { score: 1025 });
  t.deepEqual(ranking.rank(candidate({ ...facts, path: '/other' })), { score: 0 });
});

const wrong: Readonly<Record<string, readonly [code: string, marked: string]>> = {
  'a window that the kernel does not take': ['trigger.window', 'trigger: {window: §11s}'],
  'a window that is too short': ['trigger.window', 'trigger: {window: §499ms}'],
  'more stall than the window has': ['trigger.stall', 'trigger: {window: 1s, stall: §1001ms}'],
  'no stall': ['trigger.stall', 'trigger: {stall: §0s}'],
  'the usual stall in a window that is shorter': ['trigger.window', 'trigger: {window: §100ms}'],
  'a stall without a unit': ['duration.invalid', 'trigger: {stall: §"5"}'],
  'a negative window': ['duration.negative', 'trigger: {window: §-2s}'],
  'a resource that has no pressure': ['invalid_value', 'trigger: {resource: §disk}'],
  'a cgroup that is no path': ['cgroup.path', 'trigger: {cgroup: §batch}'],
  'the root as a cgroup': ['cgroup.path', 'trigger: {cgroup: §/}'],
  'a path that climbs': ['cgroup.path', 'cgroups: [{match: §/a/../b, class: Burstable}]'],
  'a class that is not there': ['invalid_value', 'cgroups: [{match: /a, class: §Best}]'],
  'a rule without a class': ['required', 'cgroups: [§{match: /a}]'],
  'an interval that keeps a processor busy': ['sample_interval.short', 'sampleInterval: §10ms'],
  'a negative interval': ['duration.negative', 'sampleInterval: §-1s'],
  'an action that is not there': ['invalid_value', 'action: §stop'],
  'a size of a kill': ['size.not_supported', 'action: kill\nsize: §10%'],
  'a release of a kill': ['release.not_supported', 'release: §{after: 1s}'],
  'a negative size': ['size.negative', 'action: memory.high\nsize: §-10%'],
  'no size': ['size.zero', 'action: memory.reclaim\nsize: §0'],
  'a release that ends before it begins': ['release.order', 'action: freeze\nrelease: §{after: 1h}'],
  'the name of the unnamed': ['name.reserved', 'name: §oom'],
  'a name with a blank': ['name.characters', 'name: §my policy'],
  'a field that is not there': ['unknown_field', '§interval: 1s'],
  'a trigger that is no question': ['expression.invalid', 'triggerExpression: §memory_full_avg10'],
  'a trigger with an unknown name': ['expression.invalid', 'triggerExpression: 1.0 < §memory_ful_avg10'],
  'a ranking that is no double': [
    'expression.invalid',
    'cgroupRankingExpression: "§memory_current.orValue(0u)"',
  ],
  'a ranking with a name of the trigger': [
    'expression.invalid',
    'cgroupRankingExpression: 2.0 * §memory_full_total',
  ],
  'a folded trigger that ends too early': [
    'expression.invalid',
    'triggerExpression: >-\n  memory_full_avg10 >\n    5.0 &&§\n',
  ],
  'a trigger that adds a text': ['expression.invalid', `triggerExpression: 'true || §cpu_some_avg10 > "x"'`],
};

for (const [what, [code, marked]] of Object.entries(wrong))
  test(`refused where it is: ${what}`, (t) => {
    const { text, line, column } = unmark(document(marked));
    t.deepEqual(refused(text), [{ code, line, column }]);
  });

test('all problems of a policy are told at once, in the order of the text', (t) => {
  const text = document(`trigger: {window: 1h}
triggerExpression: nothing
cgroupRankingExpression: path
sampleInterval: 1ms
action: kill
size: 1%`);
  t.deepEqual(codesOf(text), [
    'trigger.window',
    'expression.invalid',
    'expression.invalid',
    'sample_interval.short',
    'size.not_supported',
  ]);
});

test('who leaves the services of the node unprotected is warned', (t) => {
  const { text, line, column } = unmark(document('protectedClasses: §[Podruntime]'));
  t.deepEqual(warned(text), [{ code: 'protected_classes.system', line, column }]);
  t.deepEqual(warned(document('protectedClasses: [System]')), []);
});

test('policies have names, and there is one without', (t) => {
  const text = [document(), document('name: a'), document('name: b')].join('---\n');
  using configuration = parse(text);
  t.deepEqual(
    configuration.all('OOMConfig').map(({ id }) => id),
    ['oom', 'a', 'b'],
  );
  t.deepEqual(codesOf(`${document()}---\n${document('action: freeze')}`), ['document.duplicate']);
  t.deepEqual(codesOf(`${document('name: a')}---\n${document('name: a')}`), ['document.duplicate']);
});

test('an editor accepts what the parser accepts, and knows every field', (t) => {
  const schema = jsonSchema('OOMConfig');
  const accepts = new Ajv2020({ strict: false }).compile(schema);
  for (const fields of ['', severe, 'trigger: {resource: cpu}\naction: freeze\nrelease: {after: 5s}'])
    t.true(accepts(parseYaml(document(fields))), fields);
  for (const fields of ['action: stop', 'trigger: {stall: 5}', 'cgroups: [{match: /a}]'])
    t.false(accepts(parseYaml(document(fields))), fields);
  t.is(schema['additionalProperties'], false);
});
