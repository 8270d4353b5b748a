import type { Entry } from '@nodecore/boot';
import { controllerItems } from '@nodecore/runtime';
import { fieldsOf, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { Latest } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { type MachineStatus, machineStatus } from '../src/lifecycle/machine-status.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { Assessment } from '../src/upgrades/assessment.ts';
import { bootedEntries, bootEntries } from '../src/upgrades/definitions.ts';
import { UpgradeError } from '../src/upgrades/errors.ts';
import { type PublishedMenu, upgradesController } from '../src/upgrades/upgrades-controller.ts';
import { runControllers, until } from './controllers.ts';

const log = pino({ level: 'silent' });

const good: MachineStatus = { stage: 'running', status: { ready: true, unmetConditions: [] } };
const lacking: MachineStatus = {
  stage: 'running',
  status: { ready: false, unmetConditions: [{ name: 'network', reason: 'no interface has an address' }] },
};

/** Lets a machine be as the test says, second after second. @returns what became of its release, and when. */
async function assessed(
  at: (second: number) => readonly [MachineStatus, boolean],
  { begun = 0, blessedFrom = 0 }: { readonly begun?: number; readonly blessedFrom?: number } = {},
) {
  const clock = new FakeClock(begun * 1000);
  const second = (): number => clock.now() / 1000;
  const outcome: string[] = [];
  const end = (what: string) => async (): Promise<void> => void outcome.push(`${what} ${second()}`);
  const assessment = new Assessment({
    log,
    uptimeMs: () => clock.now(),
    answers: async () => at(second())[1],
    bless: async () => {
      if (second() < blessedFrom) return false;
      await end('blessed')();
      return true;
    },
    giveUp: (reason) => end(`gave up: ${reason};`)(),
  });
  for (;;) {
    const verdict = await assessment.look(at(second())[0]);
    if (typeof verdict !== 'number') break;
    clock.advance(verdict);
  }
  return outcome;
}

test('a release is good when it was ready for a minute without a break, also while it waits for a configuration', async (t) => {
  t.deepEqual(await assessed((second) => [second < 100 ? lacking : good, true]), ['blessed 160']);
  t.deepEqual(await assessed((second) => [second === 50 ? lacking : good, true]), ['blessed 115']);
  const maintenance: MachineStatus = { ...good, stage: 'maintenance' };
  t.deepEqual(await assessed(() => [maintenance, true]), ['blessed 60']);
  t.deepEqual(await assessed(() => [good, true], { blessedFrom: 90 }), ['blessed 90'], 'it is asked again');
});

/** What runs and lacks these. */
function lacks(...unmetConditions: MachineStatus['status']['unmetConditions']): MachineStatus {
  return { stage: 'running', status: { ready: false, unmetConditions } };
}

test('a kvstore that nobody has begun keeps no release from being good, and everything beside it does', async (t) => {
  const unbegun = { name: 'kvstore', reason: 'it has no data: run osctl bootstrap' };
  const [lack] = lacking.status.unmetConditions;
  t.deepEqual(await assessed(() => [lacks(unbegun), true]), ['blessed 60']);
  t.deepEqual(await assessed((second) => [second < 100 ? lacks(unbegun, lack!) : lacks(unbegun), true]), [
    'blessed 160',
  ]);
});

test('a release that is not ready within a quarter of an hour is given up, with the reason', async (t) => {
  const lacks = 'gave up: not ready within 15 minutes (running): network: no interface has an address; 900';
  t.deepEqual(await assessed(() => [lacking, true]), [lacks]);
  t.deepEqual(await assessed(() => [good, false]), [
    'gave up: not ready within 15 minutes (running): the API does not answer; 905',
  ]);
  t.deepEqual(await assessed((second) => [second < 890 ? lacking : good, true]), ['blessed 950']);
});

test('a release that STATE does not open for is given up, and its reason names STATE and what refuses', async (t) => {
  const status = machineStatus({
    sequence: undefined,
    isConfigured: false,
    isInMaintenance: false,
    volumes: [
      { id: 'STATE', phase: 'failed', errorMessage: 'slot 0, tpm: ERR_TPM_POLICY: PCR 11 is another one' },
    ],
    member: undefined,
    isTimeReady: true,
    addresses: ['192.0.2.1'],
  });
  t.deepEqual(await assessed(() => [status, true]), [
    'gave up: not ready within 15 minutes (booting): configuration: no configuration is active yet; ' +
      'volumes: STATE is failed: slot 0, tpm: ERR_TPM_POLICY: PCR 11 is another one; 900',
  ]);
});

const gaveUp = (second: number): string[] => [
  `gave up: not ready within 15 minutes (running): network: no interface has an address; ${second}`,
];

test('an agent that begins anew has what is left of the quarter of an hour, and two minutes at least', async (t) => {
  t.deepEqual(await assessed(() => [lacking, true], { begun: 600 }), gaveUp(900));
  t.deepEqual(await assessed(() => [lacking, true], { begun: 890 }), gaveUp(1010));
  // Of a machine that has worked for days, and whose release could not be marked so.
  const begun = 3 * 86_400;
  t.deepEqual(await assessed((second) => [second < begun + 90 ? lacking : good, true], { begun }), [
    `blessed ${begun + 150}`,
  ]);
});

type Trial = {
  readonly uptimeMs: number;
  readonly menu?: Latest<PublishedMenu>;
  readonly find: () => Promise<Entry>;
};

/** The controller over a release on trial that answers all the time. Deeds are told with the seconds of uptime. */
function trial(t: ExecutionContext, store: Store, { uptimeMs, menu = new Latest(), find }: Trial) {
  const uptime = new FakeClock(uptimeMs);
  const deeds: string[] = [];
  const deed = (what: string) => async (): Promise<void> => void deeds.push(`${what} ${uptime.now() / 1000}`);
  const assess = (): Assessment =>
    new Assessment({
      log,
      uptimeMs: () => uptime.now(),
      answers: async () => true,
      bless: () => deed('blessed')().then(() => true),
      giveUp: deed('gave up'),
    });
  const good = (): void => void deeds.push('good');
  const { clock } = runControllers(t, store, upgradesController({ log, menu, find, assess, good }));
  /** Lets time pass until the release is judged. */
  const judged = async (): Promise<readonly string[]> => {
    while (deeds.length === 0) {
      while (clock.sleepers === 0) await new Promise(setImmediate);
      uptime.advance(5000);
      clock.advance(5000);
      await new Promise(setImmediate);
    }
    await until(store, controllerItems, (items) => items.length === 0);
    return deeds;
  };
  return { judged };
}

test('the release that runs is found when its disk is here, assessed on trial, and the menu published', async (t) => {
  const store = new Store();
  const menu = new Latest<PublishedMenu>();
  const here: Entry[] = [];
  const { judged } = trial(t, store, {
    uptimeMs: 0,
    menu,
    find: async () => {
      const [booted] = here;
      if (booted === undefined) throw new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'no disk yet');
      return booted;
    },
  });
  await until(store, controllerItems, ([one]) => fieldsOf(one?.spec ?? null)['reason'] === 'no disk yet');
  const booted = { name: 'nodeos-1.14.1-2+2-1.efi', state: 'trying' } as Entry;
  here.push(booted);
  store.create({ ...kindOf(machineStatuses), id: 'machine' }, good);
  menu.set({ entries: new Map([['1.14.1-2', { state: 'trying' }]]), booted: { entry: booted.name } });
  await until(store, kindOf(bootedEntries), (all) => all.length === 1);
  t.deepEqual(
    store.list(kindOf(bootEntries)).resources.map(({ metadata, spec }) => [metadata.id, spec]),
    [['1.14.1-2', { state: 'trying' }]],
  );
  t.deepEqual(await judged(), ['blessed 65', 'good']);
});

test('PID 1 is not told that a release is good that was given up: a crash before the reboot counts', async (t) => {
  const booted = { name: 'nodeos-1.14.1-2+2-1.efi', state: 'trying' } as Entry;
  const { judged } = trial(t, new Store(), { uptimeMs: 15 * 60_000, find: async () => booted });
  t.deepEqual(await judged(), ['gave up 1020']);
});
