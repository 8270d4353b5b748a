import { atStart, type Controller } from '@nodecore/runtime';
import { Store } from '@nodecore/state';
import test from 'ava';
import { pino } from 'pino';

import { definitions, features } from '../src/features.ts';
import { type Dependency, dependenciesOf } from '../src/supervisor/dependencies.ts';
import { type Activation, type Feature, feature, given } from '../src/supervisor/feature.ts';
import { Supervisor } from '../src/supervisor/supervisor.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { kindOf } from '../src/resources/definitions.ts';
import { until } from './controllers.ts';
import { wholeAgent } from './whole-agent.ts';

const options = { log: pino({ level: 'silent' }), clock: new FakeClock() };
const next = {} as Activation;

/** A feature that writes down everything that is asked of it. */
function noisy(name: string, said: string[], needs: Record<string, Feature<unknown>> = {}): Feature<string> {
  const say = (what: string) => async () => void said.push(`${what} ${name}`);
  return feature({
    name,
    needs,
    make: () => {
      said.push(`make ${name}`);
      return {
        handle: name,
        run: async (signal) => {
          said.push(`run ${name}`);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          said.push(`ran ${name}`);
        },
        started: say('started'),
        prepare: say('prepare'),
        configure: () => void said.push(`configure ${name}`),
        quiesce: say('quiesce'),
        close: say('close'),
        dispose: say('dispose'),
      };
    },
  });
}

test('features are made behind what they need, and end in the opposite order', async (t) => {
  const said: string[] = [];
  const first = noisy('first', said);
  const second = noisy('second', said, { first });
  const supervisor = new Supervisor([second, first], options);
  await supervisor.start();
  await supervisor.activate(next);
  await supervisor.halt({ unmount: false });
  await supervisor.halt({ unmount: true }); // once is enough
  await supervisor[Symbol.asyncDispose]();
  const words = 'make run started prepare configure quiesce ran close dispose'.split(' ');
  const forwards = new Set(['make', 'run', 'started', 'prepare', 'configure', 'ran']);
  const pair = (word: string): readonly string[] =>
    forwards.has(word) ? [`${word} first`, `${word} second`] : [`${word} second`, `${word} first`];
  t.deepEqual(said, words.flatMap(pair));
});

test('a feature gets the handles of what it needs', (t) => {
  const number: Feature<number> = given('number');
  const twice: Feature<number> = feature({
    name: 'twice',
    needs: { number },
    make: ({ number: value }) => ({ handle: 2 * value }),
  });
  const supervisor = new Supervisor([twice], { ...options, given: [[number, 21]] });
  t.is(supervisor.handle(twice), 42);
});

test('a need that is not there, and a circle of needs, are named', (t) => {
  const lost: Feature<string> = given('lost');
  const searching = feature({ name: 'searching', needs: { lost }, make: () => ({ handle: undefined }) });
  t.throws(() => new Supervisor([searching], options), { message: /not there: searching → lost$/ });
  const needs: Record<string, Feature<unknown>> = {};
  const egg = feature({ name: 'egg', needs, make: () => ({ handle: undefined }) });
  const hen = feature({ name: 'hen', needs: { egg }, make: () => ({ handle: undefined }) });
  needs['hen'] = hen;
  t.throws(() => new Supervisor([hen, egg], options), { message: /each other: hen → egg → hen$/ });
});

test('what fails at the start fails the start, and nothing is prepared when a preparation fails', async (t) => {
  const said: string[] = [];
  const failing = feature({
    name: 'failing',
    make: () => ({
      handle: undefined,
      started: () => Promise.reject(new Error('no start')),
      prepare: () => Promise.reject(new Error('not ready')),
    }),
  });
  const supervisor = new Supervisor([noisy('before', said), failing, noisy('behind', said)], options);
  await t.throwsAsync(supervisor.start(), { message: 'no start' });
  await t.throwsAsync(supervisor.activate(next), { message: 'not ready' });
  t.deepEqual(
    said.filter((line) => /^(?:prepare|configure)/.test(line)),
    ['prepare before'],
  );
  await supervisor.halt({ unmount: false });
});

test('what fails at the end is told, and keeps no other from ending', async (t) => {
  const said: string[] = [];
  const failing = feature({
    name: 'failing',
    make: () => ({
      handle: undefined,
      close: () => Promise.reject(new Error('still busy')),
      dispose: () => {
        throw new Error('still held');
      },
    }),
  });
  const supervisor = new Supervisor([noisy('before', said), failing, noisy('behind', said)], options);
  await t.throwsAsync(supervisor.halt({ unmount: true }), { message: 'still busy' });
  await t.throwsAsync(async () => supervisor[Symbol.asyncDispose](), { message: 'still held' });
  t.deepEqual(
    said.filter((line) => /^(?:close|dispose)/.test(line)),
    ['close behind', 'close before', 'dispose behind', 'dispose before'],
  );
});

test('the agent prepares and ends its features in the order that their work asks for', (t) => {
  const names = features.map(({ name }) => name);
  const inOrder = (...some: readonly string[]): void => {
    const found = names.filter((name) => some.includes(name));
    t.deepEqual(found, some);
  };
  inOrder('certificates', 'maintenance', 'encryption-salt', 'kvstore', 'trims', 'pressure');
  inOrder('volumes', 'trims', 'pressure', 'configuration'); // the last one ends first
  t.is(new Set(names).size, names.length);
  for (const [index, { name, needs }] of features.entries())
    for (const needed of Object.values(needs)) {
      const at = features.indexOf(needed);
      t.true(at < index, `${name} lists ${needed.name} behind itself`);
    }
});

test('a type of resource has one writer', (t) => {
  for (const definition of definitions) {
    const writers = features.filter(({ writes }) => writes.includes(definition)).map(({ name }) => name);
    t.is(writers.length, 1, `${definition.type} by ${writers.join(', ')}`);
  }
});

const display = new Map(definitions.map(({ type, displayType }) => [type, displayType]));
const textOf = (edge: Dependency): string =>
  `${edge.part} ${edge.kind} ${edge.kind === 'need' ? edge.need : (display.get(edge.resources.type) ?? '?')}`;

test('the graph has every need, and who reads and writes which resources', (t) => {
  const edges = wholeAgent().dependencies.map(textOf);
  for (const edge of [
    'discovery exclusive Disk',
    'kvstore strong VolumeMountStatus',
    'mounts need volumes',
    'trims need volumes',
    'trims weak MountStatus',
    'volumes exclusive MountStatus',
  ])
    t.true(edges.includes(edge), edge);
  t.false(
    edges.some((edge) => edge.endsWith('need node')),
    'what is given is no part of the graph',
  );
  const running = ['one', 'other'].map((name) => ({
    feature: feature({ name, writes: [definitions[0]!], make: () => ({ handle: undefined }) }),
    controllers: [],
  }));
  t.deepEqual(
    dependenciesOf(running, []).map(({ kind }) => kind),
    ['shared', 'shared'],
  );
});

test('the graph names every controller with its inputs and outputs, once each', (t) => {
  const edges = wholeAgent().dependencies.map(textOf);
  for (const [controller, ...own] of controllers)
    t.deepEqual(
      edges.filter((edge) => edge.startsWith(`${controller} `) && !edge.includes(' need ')).toSorted(),
      own.map((edge) => `${controller} ${edge}`).toSorted(),
      controller,
    );
  t.true(edges.includes('hosts need names'), 'a controller needs its feature');
  t.deepEqual(edges, [...new Set(edges)]);
  t.false(
    edges.some((edge) => edge.endsWith('?')),
    'every resource has a type that clients know',
  );
});

test('controllers run with the agent, and end with it; one that writes what its feature does not list is refused', async (t) => {
  const store = new Store();
  const controller: Controller = {
    name: 'counting',
    inputs: [],
    outputs: [{ ...kindOf(definitions[0]!), mode: 'exclusive' }],
    outside: atStart('one'),
    reconcile: async (id, access) => void (await access.modify({ ...kindOf(definitions[0]!), id }, () => 1)),
  };
  const counting = (writes: Feature<undefined>['writes']): Feature<undefined> =>
    feature({ name: 'counts', writes, make: () => ({ handle: undefined, controllers: [controller] }) });
  t.throws(() => new Supervisor([counting([])], options), { message: /counting writes .* counts does not/ });
  const supervisor = new Supervisor([counting([definitions[0]!])], { ...options, store });
  t.deepEqual(
    supervisor.dependencies.map(({ part, kind }) => `${part} ${kind}`),
    ['counting need', 'counting exclusive'],
  );
  await supervisor.start();
  await until(store, kindOf(definitions[0]!), ({ length }) => length === 1);
  await supervisor.halt({ unmount: false });
  await supervisor[Symbol.asyncDispose]();
});

/** What each of them reads and writes. */
const controllers: readonly (readonly [controller: string, ...edges: readonly string[]])[] = [
  [
    'system',
    'exclusive BootID',
    'exclusive ExtensionStatus',
    'exclusive KernelCmdline',
    'exclusive SystemInformation',
    'exclusive Version',
  ],
  ['security', 'exclusive SecurityState'],
  [
    'discovery',
    'exclusive BlockDevice',
    'exclusive DiscoveredVolume',
    'exclusive DiscoveryStatus',
    'exclusive Disk',
    'exclusive SystemDisk',
  ],
  ['pressure', 'exclusive PressureDecision', 'exclusive PressurePolicy'],
  [
    'upgrades',
    'exclusive BootEntry',
    'exclusive BootedEntry',
    'exclusive UpgradeStatus',
    'weak MachineStatus',
  ],
  ['link', 'exclusive LinkStatus', 'weak ExtensionStatus', 'weak MachineStatus'],
  ['trims', 'exclusive VolumeTrimStatus', 'weak MountStatus'],
  ['measured-boot', 'weak VolumeManagerStatus', 'weak VolumeStatus'],
  [
    'mounts',
    'exclusive MountRequest',
    'exclusive VolumeMountStatus',
    'weak VolumeMountRequest',
    'weak VolumeMountStatus',
  ],
  [
    'machine-status',
    'exclusive MachineStatus',
    'weak EtcFileStatus',
    'weak HostnameStatus',
    'weak KvstoreMember',
    'weak MachineConfig',
    'weak MachineSequence',
    'weak MaintenanceStatus',
    'weak Service',
    'weak TimeStatus',
    'weak VolumeManagerStatus',
    'weak VolumeStatus',
  ],
  ['former-configurations', 'weak MachineConfig', 'weak VolumeManagerStatus'],
];
