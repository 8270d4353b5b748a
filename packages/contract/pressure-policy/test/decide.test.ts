import test from 'ava';

import {
  type Candidate,
  candidatesOf,
  type CgroupClass,
  cgroupClasses,
  classifier,
  decide,
  type DecisionInput,
  isWithin,
  type Observation,
  pathOfProcess,
  type Ranking,
  defaultRules,
} from '../src/index.ts';

const mib = 2 ** 20;
const quiet = { cpu: undefined, memory: undefined, io: undefined, irq: undefined };
let lastId = 0;

function candidate(path: string, facts: Partial<Candidate> = {}): Candidate {
  return {
    id: (lastId += 1),
    path,
    takenNs: 0n,
    class: 'Besteffort',
    populated: true,
    frozen: false,
    memoryCurrent: 100 * mib,
    memoryPeak: undefined,
    memoryMax: Infinity,
    memorySwapCurrent: undefined,
    memoryGrowth: undefined,
    pressure: quiet,
    ...facts,
  };
}

const byMemory = ({ memoryCurrent = 0 }: Candidate): Ranking => ({ score: memoryCurrent });

const equal = (): Ranking => ({ score: 1 });
const infinite = ({ path }: Candidate): Ranking => ({ score: path === '/x' ? 5 : Infinity });

function choose(candidates: readonly Candidate[], input: Partial<DecisionInput> = {}) {
  return decide({
    candidates,
    rank: byMemory,
    strictClassOrdering: true,
    protectedClasses: ['System', 'Podruntime'],
    protected: { own: '/agent', init: '/init.scope' },
    held: [],
    mayBeFrozen: false,
    ...input,
  });
}

test('the one with the highest score is the victim, and the others follow by theirs', (t) => {
  const { victim, ranked } = choose([
    candidate('/a', { memoryCurrent: 10 * mib }),
    candidate('/c', { memoryCurrent: 30 * mib }),
    candidate('/b', { memoryCurrent: 20 * mib }),
  ]);
  t.is(victim?.candidate.path, '/c');
  t.is(victim?.score, 30 * mib);
  t.deepEqual(
    ranked.map((each) => each.candidate.path),
    ['/c', '/b', '/a'],
  );
});

test('the lowest class that has a candidate comes first, unless scores alone count', (t) => {
  const candidates = [
    candidate('/guaranteed', { class: 'Guaranteed', memoryCurrent: 900 * mib }),
    candidate('/burstable', { class: 'Burstable', memoryCurrent: 500 * mib }),
    candidate('/best', { class: 'Besteffort', memoryCurrent: 1 * mib }),
  ];
  t.is(choose(candidates).victim?.candidate.path, '/best');
  t.is(choose(candidates.slice(0, 2)).victim?.candidate.path, '/burstable');
  t.is(choose(candidates, { strictClassOrdering: false }).victim?.candidate.path, '/guaranteed');
});

test('of equal scores the one with more memory is chosen, then the first by path, in whatever order they come', (t) => {
  const candidates = [
    candidate('/b', { memoryCurrent: 5 * mib }),
    candidate('/a', { memoryCurrent: 5 * mib }),
    candidate('/d', { memoryCurrent: undefined }),
    candidate('/c', { memoryCurrent: 6 * mib }),
  ];
  for (const order of [candidates, candidates.toReversed(), candidates.toSorted(() => -1)]) {
    const { ranked } = choose(order, { rank: equal });
    t.deepEqual(
      ranked.map((each) => each.candidate.path),
      ['/c', '/a', '/b', '/d'],
    );
  }
});

test('infinite scores are compared like others', (t) => {
  const { ranked } = choose([candidate('/x'), candidate('/z'), candidate('/y')], { rank: infinite });
  t.deepEqual(
    ranked.map((each) => each.candidate.path),
    ['/y', '/z', '/x'],
  );
});

const refusals: readonly (readonly [
  what: string,
  candidate: Candidate,
  input: Partial<DecisionInput>,
  why: string,
])[] = [
  ['the root', candidate('/'), {}, 'root'],
  ["the agent's own cgroup", candidate('/agent'), {}, 'own'],
  ['a cgroup above it', candidate('/a'), { protected: { own: '/a/b/c', init: '/' } }, 'own'],
  ['what the agent started', candidate('/agent/mkfs'), {}, 'own'],
  ['that of process 1', candidate('/init.scope'), {}, 'init'],
  ['a cgroup above that', candidate('/s'), { protected: { own: '/', init: '/s/init' } }, 'init'],
  ['a protected class', candidate('/p', { class: 'System' }), {}, 'protected-class'],
  ['one without processes', candidate('/e', { populated: false }), {}, 'empty'],
  ['one to which something was done', candidate('/h'), { held: ['/h'] }, 'held'],
  ['one that somebody froze', candidate('/f', { frozen: true }), {}, 'held'],
  ['a score of 0', candidate('/0'), { rank: () => ({ score: 0 }) }, 'score'],
  ['a negative score', candidate('/-'), { rank: () => ({ score: -1 }) }, 'score'],
  ['a score that is no number', candidate('/n'), { rank: () => ({ score: NaN }) }, 'score'],
  ['an expression that fails', candidate('/x'), { rank: () => ({ error: 'no such key' }) }, 'error'],
];

for (const [what, refused, input, why] of refusals)
  test(`never chosen: ${what}`, (t) => {
    const other = candidate('/zz-other', { memoryCurrent: 1 });
    t.is(choose([refused], input).victim, undefined);
    const rank = input.rank;
    const choice = choose([refused, other], {
      ...input,
      rank: (each) => (each === other ? { score: 1 } : (rank ?? byMemory)(each)),
    });
    t.is(choice.victim?.candidate.path, '/zz-other');
    t.deepEqual(
      choice.refused.map((each) => [each.path, each.why]),
      [[refused.path, why]],
    );
  });

test('a name that only begins like a protected one is not protected', (t) => {
  t.is(choose([candidate('/agent-2')]).victim?.candidate.path, '/agent-2');
  t.false(isWithin('/agent-2', '/agent'));
});

test('an agent in the root protects only the root: everything is below it', (t) => {
  t.is(choose([candidate('/a')], { protected: { own: '/', init: '/' } }).victim?.candidate.path, '/a');
});

test('what is frozen can still be killed', (t) => {
  t.is(choose([candidate('/f', { frozen: true })], { mayBeFrozen: true }).victim?.candidate.path, '/f');
});

test('a class that a policy does not protect can be chosen', (t) => {
  const system = candidate('/system/x', { class: 'System' });
  t.is(choose([system], { protectedClasses: [] }).victim?.candidate.path, '/system/x');
});

test('nobody is chosen where nobody is', (t) => {
  t.deepEqual(choose([]), { victim: undefined, ranked: [], refused: [] });
});

const paths: readonly (readonly [path: string, expected: CgroupClass | undefined])[] = [
  ['/kubepods/besteffort/pod1', 'Besteffort'],
  ['/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod2.slice', 'Burstable'],
  ['/kubepods/pod3', 'Guaranteed'],
  ['/kubepods/besteffort', undefined],
  ['/kubepods/besteffort/pod1/container', undefined],
  ['/podruntime/etcd', 'Podruntime'],
  ['/system.slice/sshd.service', 'System'],
  ['/user.slice', undefined],
  ['/', undefined],
];

for (const [path, expected] of paths)
  test(`${path} is ${expected ?? 'of no class'}`, (t) => t.is(classifier(defaultRules)(path), expected));

test('the root has no class, whatever a rule says', (t) => {
  t.is(classifier([{ match: '/*', class: 'Besteffort' }])('/'), undefined);
});

test('the first rule that fits gives the class, and nothing of a pattern but the star is special', (t) => {
  const classify = classifier([
    { match: '/a.b/(*', class: 'Burstable' },
    { match: '/system/mine', class: 'Besteffort' },
    ...defaultRules,
  ]);
  t.is(classify('/a.b/(x)'), 'Burstable');
  t.is(classify('/aXb/(x)'), undefined);
  t.is(classify('/system/mine'), 'Besteffort');
  t.is(classify('/system/other'), 'System');
  t.is(cgroupClasses.indexOf('System'), 4);
});

function observed(takenNs: bigint, cgroups: Observation['cgroups']): Observation {
  return { takenNs, machine: quiet, cgroups: cgroups.map((each) => ({ ...each, takenNs })), wholes: [] };
}

const second = 1_000_000_000n;
const grown: readonly (readonly [what: string, elapsedNs: bigint, perSecond: number | undefined])[] = [
  ['in time', second / 2n, 120 * mib],
  // Memory pressure is when ticks are late: dividing by half a second would say six times as much.
  ['late', 3n * second, 20 * mib],
  ['at the same moment', 0n, undefined],
  ['out of order', -second, undefined],
];

for (const [what, elapsedNs, expected] of grown)
  test(`growth is per second of time that passed: the second reading is ${what}`, (t) => {
    const first = candidate('/a', { memoryCurrent: 100 * mib });
    const [now] = candidatesOf(
      observed(10n * second + elapsedNs, [{ ...first, memoryCurrent: 160 * mib }]),
      observed(10n * second, [first]),
    );
    t.is(now?.memoryGrowth, expected);
  });

test('a cgroup that was made again by the same path has not grown', (t) => {
  const first = candidate('/a', { memoryCurrent: 1 });
  const again = candidate('/a', { memoryCurrent: 500 * mib });
  const [now] = candidatesOf(observed(2n * second, [again]), observed(second, [first]));
  t.is(now?.memoryGrowth, undefined);
  t.is(candidatesOf(observed(second, [first]), undefined)[0]?.memoryGrowth, undefined);
});

test('the path of a process is that of cgroup v2, on mixed machines, too', (t) => {
  t.is(
    pathOfProcess('12:pids:/x\n1:name=systemd:/init.scope\n0::/system.slice/a b.service\n'),
    '/system.slice/a b.service',
  );
  t.is(pathOfProcess('0::/\n'), '/');
  t.is(pathOfProcess('0::/gone (deleted)\n'), '/gone');
  t.is(pathOfProcess('3:cpu:/x\n'), undefined);
});
