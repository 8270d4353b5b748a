import test from 'ava';

import { closingOrder } from '../../src/mounts/closing-order.ts';
import type { MountFlags, VolumeMountRequest } from '../../src/index.ts';
import { documentRequest, flagsFor, mergeRequests } from '../../src/mounts/request.ts';
import { FakeDisk } from '../fake-disk.ts';
import { FakeWorld } from '../fake-world.ts';
import { swapSpec } from '../kind-specs.ts';
import { Machine } from '../machine.ts';
import { encryption, userSpec } from '../specs.ts';
import { onEphemeral, systemSpecs } from '../system-specs.ts';

const on = (id: string): string => `disk.dev_path == "/dev/${id}"`;
const plain: MountFlags = { readOnly: false, nosuid: false, nodev: false, noexec: false, noatime: false };

function need(
  requester: string,
  volumeId: string,
  wish: Partial<VolumeMountRequest> = {},
): VolumeMountRequest {
  return {
    id: `${requester}-${volumeId}`,
    requester,
    volumeId,
    readOnly: false,
    disableAccessTime: false,
    secure: false,
    noExec: false,
    ...wish,
  };
}

function volume(id: string, parent?: string): { spec: Parameters<typeof mergeRequests>[0] } {
  return { spec: { id, mount: { target: `/${id}`, flags: plain, ...(parent !== undefined && { parent }) } } };
}

test('a mount is read-only only when all want it so; the rest when anybody does', (t) => {
  const reader = need('backup', 'u-data', { readOnly: true, noExec: true });
  const writer = need('kvstore', 'u-data', { disableAccessTime: true });
  const spec = { id: 'u-data', mount: { target: '/var/mnt/data', parent: 'EPHEMERAL', flags: plain } };
  const merged = mergeRequests(spec, [writer, reader]);
  t.deepEqual(merged, {
    volumeId: 'u-data',
    parentId: 'EPHEMERAL',
    requesters: ['backup', 'kvstore'],
    requesterIds: ['backup-u-data', 'kvstore-u-data'],
    readOnly: false,
    disableAccessTime: true,
    secure: false,
    noExec: true,
  });
  t.true(mergeRequests(spec, [reader])?.readOnly);
  t.is(mergeRequests(spec, []), undefined);
});

test('requests tighten what the document says of a mount and never loosen it', (t) => {
  const document: MountFlags = { ...plain, readOnly: true, nosuid: true, nodev: true };
  t.deepEqual(flagsFor(document, [need('kvstore', 'u-data')]), document);
  t.deepEqual(flagsFor(document, [need('kvstore', 'u-data', { noExec: true, disableAccessTime: true })]), {
    ...document,
    noexec: true,
    noatime: true,
  });
  t.deepEqual(flagsFor(plain, [need('backup', 'u-data', { readOnly: true, secure: true })]), {
    ...plain,
    nosuid: true,
    nodev: true,
  });
  t.true(documentRequest('u-data', document).secure);
});

test('what is mounted on others is closed before them, however deep', (t) => {
  const all = [volume('EPHEMERAL'), volume('u-a', 'EPHEMERAL'), volume('STATE'), volume('u-b', 'u-a')];
  t.deepEqual(
    closingOrder(all).map((wave) => wave.map(({ spec }) => spec.id)),
    [['u-b'], ['u-a'], ['EPHEMERAL', 'STATE']],
  );
});

test('a volume is unmounted when its document and its last requester have gone, not before', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [userSpec('data', on('sda'), { encryption: encryption() })]);
  t.teardown(() => machine.stop());
  const { manager } = machine;
  manager.request([need('kvstore', 'u-data'), need('backup', 'u-data')]);
  t.true(await machine.until(() => machine.isReady));
  t.like(manager.mountRequests()[0], { requesters: ['backup', 'config', 'kvstore'] });
  t.deepEqual(manager.mountStatusFor(need('kvstore', 'u-data')), {
    request: need('kvstore', 'u-data'),
    phase: 'mounted',
    target: '/var/mnt/data',
  });

  world.changes.length = 0;
  manager.apply([]);
  t.false(await machine.until(() => world.changes.length > 0, 5));
  t.like(manager.mounts()[0], { phase: 'mounted', isLeaving: true });
  t.is(manager.mountStatusFor(need('kvstore', 'u-data')).phase, 'leaving');
  manager.request([need('backup', 'u-data')]);
  t.false(await machine.until(() => world.changes.length > 0, 5));
  manager.request([]);
  t.true(await machine.until(() => manager.statuses().length === 0));
  t.deepEqual(world.changes, ['unmount /var/mnt/data', 'close luks2-u-data', 'forget u-data']);
});

test('a document that comes back while its volume is still held finds a volume that begins anew', async (t) => {
  const specs = [userSpec('data', on('sda'))];
  const machine = new Machine(new FakeWorld([new FakeDisk('sda', 8000)]), specs);
  t.teardown(() => machine.stop());
  const { manager } = machine;
  const kvstore = need('kvstore', 'u-data');
  manager.request([kvstore]);
  t.true(await machine.until(() => machine.isReady));
  manager.apply([]);
  manager.apply([...specs]);
  t.is(manager.mountStatusFor(kvstore).phase, 'leaving', 'nobody may begin on what is about to be closed');
  manager.request([]);
  t.true(await machine.until(() => manager.mountStatusFor(kvstore).phase === 'mounted'));
});

test('who follows the volumes hears that others need one, and that one leaves', async (t) => {
  const machine = new Machine(new FakeWorld([new FakeDisk('sda', 8000)]), [userSpec('data', on('sda'))]);
  t.teardown(() => machine.stop());
  const { manager } = machine;
  t.true(await machine.until(() => machine.isReady));
  const ending = new AbortController();
  let heard = 0;
  const following = (async () => {
    for await (const _ of manager.changes(ending.signal)) heard += 1;
  })();
  t.teardown(async () => {
    ending.abort();
    await following;
  });
  const hears = async (): Promise<boolean> => {
    const before = heard;
    return await machine.until(() => heard > before, 0);
  };
  t.true(await hears(), 'what there is');
  manager.request([need('kvstore', 'u-data')]);
  t.true(await hears());
  manager.request([need('kvstore', 'u-data')]);
  t.false(await hears(), 'nothing has changed');
  manager.apply([]);
  t.true(await hears());
});

test('a volume that is needed is not wiped, nor is what it lies on; the refusal names who needs it', async (t) => {
  const specs = [...systemSpecs(), onEphemeral(userSpec('data', on('sda')))];
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const world = new FakeWorld([system, new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, specs);
  t.teardown(() => machine.stop());
  const { manager } = machine;
  t.true(await machine.until(() => machine.isReady));
  world.changes.length = 0;
  manager.request([need('kvstore', 'u-data')]);
  for (const id of ['u-data', 'EPHEMERAL'])
    await t.throwsAsync(manager.wipe(id, { method: 'fast' }), {
      code: 'ERR_VOLUME_REQUESTED',
      message: 'u-data is needed by kvstore: take that out of the configuration first',
    });
  t.deepEqual(world.changes, []);
});

test('at the end a child goes before what it is mounted on, a mapping after what is on it, swap before its own', async (t) => {
  const data = onEphemeral(userSpec('data', on('sda'), { encryption: encryption() }));
  const specs = [...systemSpecs(), data, swapSpec('swap', on('sdb'), { encryption: encryption() })];
  const system = new FakeDisk('vda', 8000, { region: { kind: 'gpt', partitions: [] } });
  const world = new FakeWorld([system, new FakeDisk('sda', 8000), new FakeDisk('sdb', 8000)]);
  const machine = new Machine(world, specs);
  t.true(await machine.until(() => machine.isReady));
  world.changes.length = 0;
  await machine.manager.close();
  t.deepEqual([world.mounted, [...world.mappings.keys()], [...world.swaps]], [[], [], []]);
  const order = world.changes.toString();
  t.regex(order, /unmount \/var\/mnt\/data,.*close luks2-u-data,.*unmount \/var(,|$)/);
  t.regex(order, /swap off .*,.*close luks2-s-swap/);
});

test('flags that a requester wants come onto the live mount, and go with it', async (t) => {
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [userSpec('data', on('sda'))]);
  t.teardown(() => machine.stop());
  t.true(await machine.until(() => machine.isReady));
  const options = (): readonly string[] =>
    world.mounted.find(({ target }) => target === '/var/mnt/data')?.options ?? [];
  t.false(options().includes('noatime'));
  machine.manager.request([need('kvstore', 'u-data', { disableAccessTime: true })]);
  t.true(await machine.until(() => options().includes('noatime')));
  machine.manager.request([]);
  t.true(await machine.until(() => !options().includes('noatime')));
});

test('what a requester can not have is told to it alone', async (t) => {
  const data = userSpec('data', on('sda'));
  const readOnly = { ...data, mount: { ...data.mount, flags: { ...plain, readOnly: true } } };
  const world = new FakeWorld([new FakeDisk('sda', 8000)]);
  const machine = new Machine(world, [readOnly]);
  t.teardown(() => machine.stop());
  const { manager } = machine;
  const [writer, reader] = [need('kvstore', 'u-data'), need('backup', 'u-data', { readOnly: true })];
  manager.request([writer, reader]);
  t.true(await machine.until(() => machine.isReady));
  t.like(manager.mountStatusFor(writer), { phase: 'failed', errorCode: 'ERR_VOLUME_READ_ONLY' });
  t.like(manager.mountStatusFor(reader), { phase: 'mounted', target: '/var/mnt/data' });
  t.like(manager.mountStatusFor(need('kvstore', 'u-gone')), { errorCode: 'ERR_VOLUME_NOT_FOUND' });
});
