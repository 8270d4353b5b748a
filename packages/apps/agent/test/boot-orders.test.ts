import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defaultArguments } from '@nodecore/image';
import { metaTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { bootOrders, obeyBootOrders } from '../src/boot/boot-orders.ts';
import { variablesOf } from '../src/environment/kernel-line.ts';
import { redactedArguments } from '../src/image/kernel-arguments.ts';
import { Meta } from '../src/persistence/meta.ts';
import type { ResetEffects } from '../src/persistence/perform-reset.ts';
import { decodeReset, encodeReset, type ResetRecord } from '../src/persistence/reset-record.ts';
import { missingParameters, requiredParameters } from '../src/security/kernel-parameters.ts';
import { disk, inventory, partition } from './inventory.ts';

const none = { haltIfInstalled: false, wipe: 'none' } as const;
const orders: readonly (readonly [string, ReturnType<typeof bootOrders>])[] = [
  ['quiet os.platform=metal', none],
  ['os.halt_if_installed=1', { ...none, haltIfInstalled: true }],
  ['os.halt_if_installed=1 os.halt_if_installed=0', none],
  ['os.experimental.wipe=system', { ...none, wipe: 'all' }],
  ['os.experimental.wipe=system:STATE', { ...none, wipe: ['STATE'] }],
  ['os.experimental.wipe=system:STATE,EPHEMERAL', { ...none, wipe: ['STATE', 'EPHEMERAL'] }],
];
for (const [line, meant] of orders) test(`${line} is read`, (t) => t.deepEqual(bootOrders(line), meant));

for (const line of [
  'os.halt_if_installed=yes',
  'os.halt_if_installed',
  'os.experimental.wipe',
  'os.experimental.wipe=all',
  'os.experimental.wipe=system:',
  'os.experimental.wipe=system:STATE,',
  'os.experimental.wipe=system:state',
  'os.experimental.wipe=systemSTATE',
])
  test(`${line} is no order`, (t) => void t.throws(() => bootOrders(line), { instanceOf: TypeError }));

const labelled = (index: number, partitionLabel: string) =>
  partition('vda', index, { partitionLabel, partitionUuid: `guid-${partitionLabel}`, name: 'xfs' });

/** An installed machine, whose disk says what is done to it. */
async function machine(
  t: ExecutionContext,
  line: string,
  bootedFrom?: string,
  hasInstalled = false,
  pending?: ResetRecord,
) {
  const path = join(await temporaryDirectory(t), 'meta');
  await writeFile(path, '');
  await truncate(path, 1 << 20);
  const meta = await Meta.open(path);
  if (pending !== undefined) await meta.set(metaTag.reset, encodeReset(pending));
  const deeds: string[] = [];
  const effects: ResetEffects = {
    partitions: async () => new Set(['guid-STATE', 'guid-EPHEMERAL']),
    locate: async (_disk, guid) => `/dev/${guid}`,
    requireUnused: async () => {},
    wipeContent: async (device) => {
      deeds.push(`wipe ${device} ${meta.tags.includes(metaTag.reset) ? 'with a mark' : 'without a mark'}`);
    },
    removePartition: async (_disk, guid) => void deeds.push(`remove ${guid}`),
  };
  const volumes = [
    labelled(1, 'EFI'),
    partition('vda', 2, { partitionLabel: 'META' }),
    labelled(3, 'STATE'),
    labelled(4, 'EPHEMERAL'),
  ];
  const why = await obeyBootOrders(
    {
      log: pino({ level: 'silent' }),
      line: async () => line,
      bootedFrom: async () => bootedFrom,
      hasInstalled: () => hasInstalled,
      end: (ending) => void deeds.push(ending),
      effects,
      wipeDisk: async (device) => void deeds.push(`wipe all of ${device}`),
    },
    meta,
    inventory([disk('vda')], volumes),
  );
  return { deeds, why, meta };
}

test('a medium stays beside a system that is installed, and that system starts with the same command line', async (t) => {
  for (const from of [undefined, 'guid-of-a-stick']) {
    const { deeds, why } = await machine(t, 'os.halt_if_installed=1', from);
    t.deepEqual(deeds, ['halt']);
    t.is(why, 'a system is installed on /dev/vda, and this medium is not to start beside it');
  }
  const own = await machine(t, 'os.halt_if_installed=1', 'guid-efi');
  t.deepEqual([own.deeds, own.why], [[], undefined]);
});

test('a system that the medium itself has just installed is neither halted beside nor wiped', async (t) => {
  for (const line of ['os.halt_if_installed=1', 'os.experimental.wipe=system']) {
    const { deeds, why } = await machine(t, line, 'guid-of-a-stick', true);
    t.deepEqual([deeds, why], [[], undefined], line);
  }
});

test('labels are wiped with a mark in META, and the node goes on; a disk as a whole, and it begins anew', async (t) => {
  const labels = await machine(t, 'os.experimental.wipe=system:STATE,EPHEMERAL', 'guid-efi');
  t.deepEqual(labels.deeds, [
    'wipe /dev/guid-STATE with a mark',
    'remove guid-STATE',
    'wipe /dev/guid-EPHEMERAL with a mark',
    'remove guid-EPHEMERAL',
  ]);
  t.is(labels.why, undefined);
  t.false(labels.meta.tags.includes(metaTag.reset));
  const all = await machine(t, 'os.experimental.wipe=system', 'guid-of-a-stick');
  t.deepEqual(all.deeds, ['wipe all of /dev/vda', 'reboot']);
});

test('a reset that has begun goes on before labels are wiped, and what it still has to forget is not forgotten', async (t) => {
  const begun = { stage: 'wipe', partitions: [], disks: [], forget: ['u-data'], wipesMeta: false } as const;
  const line = 'os.experimental.wipe=system:EPHEMERAL';
  const waiting = await machine(t, line, 'guid-efi', false, begun);
  t.deepEqual([waiting.deeds, waiting.why], [[], undefined]);
  t.deepEqual(decodeReset(waiting.meta.get(metaTag.reset)), begun);
  const forgetting = await machine(t, line, 'guid-efi', false, { ...begun, stage: 'forget' });
  t.deepEqual(forgetting.deeds, ['wipe /dev/guid-EPHEMERAL with a mark', 'remove guid-EPHEMERAL']);
  t.like(decodeReset(forgetting.meta.get(metaTag.reset)), { stage: 'forget', forget: ['u-data'] });
});

test('what is not understood, is not there, or would wipe what runs, wipes nothing and stops nobody', async (t) => {
  for (const [line, from] of [
    ['os.experimental.wipe=everything', undefined],
    ['os.experimental.wipe=system:LOG', undefined],
    ['os.experimental.wipe=system:EFI', undefined],
    ['os.experimental.wipe=system', 'guid-efi'],
    ['quiet', undefined],
  ] as const) {
    const { deeds, why, meta } = await machine(t, line, from);
    t.deepEqual([deeds, why, meta.tags], [[], undefined, []], line);
  }
});

test('variables of the command line are those that a document may have, and are not shown', (t) => {
  const line =
    'quiet os.environment=http_proxy=http://joe:pw@p:1/?a=b os.environment=EMPTY= os.environment="A=b c" os.environment=A=2';
  t.deepEqual(
    [...variablesOf(line)],
    [
      ['http_proxy', 'http://joe:pw@p:1/?a=b'],
      ['EMPTY', ''],
      ['A', '2'],
    ],
  );
  t.is(variablesOf('quiet').size, 0);
  for (const name of ['LD_PRELOAD', 'NODE_OPTIONS', 'PATH', '9x', 'a-b', ''])
    t.is(codeOf(t.throws(() => variablesOf(`os.environment=${name}=x`))), 'ERR_CONFIG_INVALID', name);
  t.is(
    redactedArguments('os.environment=KEY=sesame os.environment="A=b c"'),
    'os.environment=KEY=<redacted> os.environment="A=<redacted>',
  );
});

test('every image gives its kernel what a hardened one must have, and a kernel without it is known', (t) => {
  t.deepEqual(missingParameters(defaultArguments.join(' ')), []);
  t.deepEqual(missingParameters('quiet slab_nomerge pti=on\n'), []);
  t.deepEqual(missingParameters('quiet pti=off slab_nomerge=0'), requiredParameters);
});
