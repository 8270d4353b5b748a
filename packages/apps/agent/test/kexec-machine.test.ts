import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { guids } from '@nodecore/efi';
import { controllerItems } from '@nodecore/runtime';
import { Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { firmwareWish } from '../src/kexec/firmware-wishes.ts';
import { type KexecMark, readKexecMark, writeKexecMark } from '../src/kexec/kexec-mark.ts';
import { markController } from '../src/kexec/mark-controller.ts';
import { kernelObstacle, obstacleOf, type Surroundings } from '../src/kexec/obstacles.ts';
import { hasTpm, sealedVolume } from '../src/kexec/sealed-volumes.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { Meta } from '../src/persistence/meta.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';
import { partition } from './inventory.ts';

const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';

const clear: Surroundings = {
  processor: 'x64',
  kernel: async () => undefined,
  secureBoot: async () => false,
  loader: async () => ({ selected: { imageVersion: '1.14.0', sequence: 1 } }),
  wish: async () => undefined,
  hasTpm: async () => false,
  inventory: () => ({ disks: [], volumes: [] }),
  configuration: () => undefined,
  sealedVolume: async () => undefined,
};

test('what is not proven is in the way, each by itself', async (t) => {
  t.is(await obstacleOf(clear), undefined);
  const obstacles: readonly (readonly [RegExp, Partial<Surroundings>])[] = [
    [/not proven on arm64/u, { processor: 'arm64' }],
    [/kexec_load_disabled/u, { kernel: async () => 'kernel.kexec_load_disabled is set' }],
    [/Secure Boot is on/u, { secureBoot: async () => true }],
    [/no boot loader has started/u, { loader: async () => ({ selected: undefined }) }],
    [/BootNext has the firmware/u, { wish: async () => 'BootNext' }],
    [/still being looked at/u, { hasTpm: async () => true, inventory: () => undefined }],
    [/the key of STATE/u, { hasTpm: async () => true, sealedVolume: async () => 'STATE' }],
  ];
  for (const [reason, around] of obstacles)
    t.regex((await obstacleOf({ ...clear, ...around })) ?? '', reason);
  const unsealed = { ...clear, hasTpm: async () => true };
  t.is(await obstacleOf(unsealed), undefined);
});

test('the setting of the machine counts, and a kernel that knows none of it', async (t) => {
  const path = join(await temporaryDirectory(t), 'kexec_load_disabled');
  t.is(await kernelObstacle(path), 'the kernel can load no other one');
  for (const [value, reason] of [
    ['0\n', undefined],
    ['1\n', 'kernel.kexec_load_disabled is set'],
  ] as const) {
    await writeFile(path, value);
    t.is(await kernelObstacle(path), reason);
  }
  t.is(codeOf(await t.throwsAsync(kernelObstacle(join(path, 'below')))), 'ENOTDIR');
});

test('whoever has told the firmware to start something else is heard', async (t) => {
  for (const [name, vendor] of [
    ['BootNext', guids.global],
    ['OsIndications', guids.global],
    ['LoaderEntryOneShot', loader],
    ['LoaderEntryDefault', loader],
    ['LoaderEntryPreferred', loader],
    ['LoaderConfigTimeoutOneShot', loader],
  ] as const) {
    const root = await temporaryDirectory(t);
    const write = (...bytes: number[]): Promise<void> =>
      writeFile(join(root, `${name}-${vendor}`), Buffer.from([7, 0, 0, 0, ...bytes]));
    t.is(await firmwareWish(root), undefined);
    await write(0, 0);
    t.is(await firmwareWish(root), undefined, 'OsIndications without a wish is zero');
    await write(1, 0);
    t.is(await firmwareWish(root), name);
  }
});

test('a volume with a key of the TPM is found by its header, and by the configuration before it is made', async (t) => {
  const volumes = [partition('vda', 1, { name: 'vfat' }), partition('vda', 3, { name: 'luks' })];
  const inventory = { disks: [], volumes };
  const asked: string[] = [];
  const withTokens = (...types: string[]) => ({
    inventory,
    configuration: undefined,
    tokenTypes: async (device: string) => {
      asked.push(device);
      return types;
    },
  });
  t.is(await sealedVolume(withTokens('nodecore-kms', 'systemd-recovery')), undefined);
  t.deepEqual(asked, ['/dev/vda3']);
  for (const type of ['systemd-tpm2', 'nodecore-tpm2', 'talos-tpm2'])
    t.is(await sealedVolume(withTokens('nodecore-kms', type)), '/dev/vda3');
  const damaged = { ...withTokens(), tokenTypes: () => Promise.reject(new Error('neither copy is valid')) };
  await t.throwsAsync(sealedVolume(damaged), { message: /neither copy/u });
  type Configured = NonNullable<Parameters<typeof sealedVolume>[0]['configuration']>;
  const configured = (kind: string) =>
    ({
      volumes: [{ id: 'STATE' }, { id: 'EPHEMERAL', encryption: { keys: [{ kind }] } }],
    }) as unknown as Configured;
  t.is(await sealedVolume({ ...withTokens(), configuration: configured('nodeID') }), undefined);
  t.is(await sealedVolume({ ...withTokens(), configuration: configured('tpm') }), 'EPHEMERAL');
});

test('a machine has a TPM when one of its devices is there', async (t) => {
  const directory = await temporaryDirectory(t);
  const paths = [join(directory, 'tpm0'), join(directory, 'tpmrm0')];
  t.false(await hasTpm(paths));
  await writeFile(paths[1] ?? '', '');
  t.true(await hasTpm(paths));
});

async function markedNode(
  t: ExecutionContext,
  mark: KexecMark | undefined,
  by: 'firmware' | 'kexec',
  fails = false,
) {
  const remembered: AbortSignal[] = [];
  const directory = join(await temporaryDirectory(t), 'meta');
  await mkdir(directory);
  const file = join(directory, 'meta');
  await writeFile(file, '');
  await truncate(file, 1 << 20);
  const meta = await Meta.open(file);
  await writeKexecMark(meta, mark);
  const store = new Store();
  const remember = async (signal: AbortSignal): Promise<void> => {
    remembered.push(signal);
    if (fails)
      throw Object.assign(new Error('machine is not installed'), { code: 'ERR_UPGRADE_NOT_INSTALLED' });
  };
  const { failures } = runControllers(t, store, () =>
    markController({ log: pino({ level: 'silent' }), meta: () => meta, startedBy: async () => by, remember }),
  );
  const show = (stage: string, ...unmet: string[]): void => {
    const unmetConditions = unmet.map((name) => ({ name, reason: 'not yet' }));
    const status = { stage, status: { ready: unmet.length === 0, unmetConditions } };
    store.replace(kindOf(machineStatuses), new Map([['machine', status]]), 'lifecycle');
  };
  const settled = async (): Promise<void> => {
    while (readKexecMark(meta)?.hasFailed === false) await meta.changed.wait(AbortSignal.timeout(30_000));
  };
  const waits = (): Promise<unknown> =>
    until(store, controllerItems, ([one]) => JSON.stringify(one?.spec ?? '').includes('has to become ready'));
  return { meta, show, settled, waits, failures, remembered };
}

const begun = { entry: '1.14.1-2', hasFailed: false };

test('a machine that the firmware has to start after a start without it is not started so again', async (t) => {
  const { meta, settled, failures } = await markedNode(t, begun, 'firmware');
  await settled();
  t.deepEqual(readKexecMark(meta), { entry: '1.14.1-2', hasFailed: true });
  t.deepEqual(failures, []);
});

test('a start without the firmware is good once the machine is ready, and no sooner', async (t) => {
  const { meta, show, settled, waits, remembered } = await markedNode(t, begun, 'kexec');
  for (const lacks of [['network'], ['time', 'network']]) {
    show('running', ...lacks);
    await waits();
    t.deepEqual(readKexecMark(meta), begun);
  }
  show('booting');
  await waits();
  t.deepEqual(readKexecMark(meta), begun);
  show('running', 'time', 'kvstore');
  await settled();
  t.is(readKexecMark(meta), undefined);
  t.deepEqual(remembered, [], 'nobody knows that the firmware would start it');
});

test('what the firmware has started is remembered once it is up, and a node without a menu is none the worse', async (t) => {
  for (const fails of [false, true]) {
    const { show, remembered, failures } = await markedNode(t, undefined, 'firmware', fails);
    for (const [stage, ...unmet] of [['booting'], ['running', 'network'], ['maintenance']]) {
      show(stage ?? '', ...unmet);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      t.deepEqual(remembered, [], stage);
    }
    show('running');
    while (remembered.length === 0) await setImmediate();
    show('running', 'network');
    show('running');
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    t.is(remembered.length, 1);
    t.deepEqual(failures, []);
  }
});
