import test from 'ava';

import type { Candidate, Facts } from '../../src/facts/facts.ts';
import { plan, type Action, type VolumeSpec, type VolumeStatus } from '../../src/index.ts';
import { candidate, device, facts, found, secure, status, wholeDisk } from '../plan-facts.ts';
import { diskSpec, encryption, userSpec } from '../specs.ts';

const data = userSpec('data', 'true');
const growing = { ...data, ...(data.partition && { partition: { ...data.partition, grow: true } }) };
const locked = userSpec('data', 'true', { encryption: encryption() });
const db = diskSpec('db', 'true');
const system: VolumeSpec = { ...data, disks: 'system-disk' };
const onVar: VolumeSpec = { ...data, mount: { ...data.mount, parent: 'EPHEMERAL' } };
const identity = { wwid: 'w1', serial: '', model: '', size: 1n, busPath: '', devPath: '/dev/sdz' };
const record = { volumeId: 'u-data', type: 'partition', disk: identity, phase: 'done' } as const;
const done = { available: true, record } as const;
const xfs = { kind: 'filesystem', type: 'xfs', uuid: 'f1', label: 'u-data' } as const;
const ext4 = { kind: 'filesystem', type: 'ext4', uuid: 'f1', label: '' } as const;
const luks = { kind: 'luks', uuid: 'l1', label: 'u-data' } as const;
const swap = { kind: 'other', names: ['swap'] } as const;
const unknown = { kind: 'unknown', reasons: ['its first MiB has data'] } as const;
const mapping = { ours: true, device: '/dev/sda1', path: '/dev/mapper/luks2-u-data' } as const;
const mine = { source: '/dev/sda1', ours: true, flags: secure } as const;
const making = (made: Facts['made']): Partial<Facts> => ({
  device: device({ underConstruction: true, content: unknown, provenance: 'begun' }),
  made,
});

type Row = readonly [
  title: string,
  spec: VolumeSpec,
  status: Partial<VolumeStatus>,
  facts: Partial<Facts>,
  expected: Partial<Action> & { readonly kind: Action['kind'] },
];

const rows: readonly Row[] = [
  ['before the first scan it waits', data, {}, { disksKnown: false }, { kind: 'wait', phase: 'waiting' }],
  ['a system volume waits for its disk', system, {}, {}, { kind: 'wait', reason: 'there is no system disk' }],
  ['first of all it is looked for', data, {}, {}, { kind: 'locate' }],
  [
    'a whole disk is not judged without its record',
    db,
    {},
    { intents: { available: false } },
    { kind: 'wait' },
  ],
  ['what carries its label is adopted', data, {}, { found: [found('sda')] }, { kind: 'adopt' }],
  [
    'two that carry its label are an error that lists both',
    data,
    {},
    { found: [found('sdb'), found('sda')] },
    {
      kind: 'fail',
      code: 'ERR_VOLUME_AMBIGUOUS',
      message: 'u-data is on 2 partitions: /dev/sda1, /dev/sdb1',
    },
  ],
  [
    'of two, the recorded one is it',
    data,
    {},
    { found: [found('sdb'), { ...found('sda'), recorded: true }] },
    { kind: 'adopt', found: { ...found('sda'), recorded: true } },
  ],
  [
    'one that may not be made is missing',
    { ...data, provision: false },
    {},
    { found: [] },
    { kind: 'wait', phase: 'missing' },
  ],
  [
    'one that was made before is missing, not made again',
    data,
    {},
    { found: [], intents: done },
    { kind: 'wait', phase: 'missing' },
  ],
  [
    'nothing is made without the intent store',
    data,
    {},
    { found: [], intents: { available: false } },
    { kind: 'wait', phase: 'waiting' },
  ],
  ['found nowhere, the disks are surveyed', data, {}, { found: [] }, { kind: 'survey' }],
  ['missing is looked for again', data, { phase: 'missing' }, {}, { kind: 'locate' }],
  [
    'failed goes on where it failed',
    data,
    { phase: 'failed', failedPhase: 'located' },
    {},
    { kind: 'inspect' },
  ],
  ['closed is the end', data, { phase: 'closed' }, {}, { kind: 'stay' }],

  ['a located device is read', data, { phase: 'located' }, {}, { kind: 'inspect' }],
  [
    'a device that vanished is looked for again',
    data,
    { phase: 'located' },
    { device: 'gone' },
    { kind: 'wait', phase: 'waiting' },
  ],
  [
    'proven empty is marked before it is touched',
    data,
    { phase: 'located' },
    { device: device() },
    { kind: 'beginConstruction' },
  ],
  [
    'made once and empty now is not made again',
    data,
    { phase: 'located' },
    { device: device({ found: { ...found('sda'), recorded: true } }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'empty, and found before its record could be read, waits for the record',
    data,
    { phase: 'located' },
    { device: device(), intents: { available: false } },
    { kind: 'wait' },
  ],
  [
    'made once by a record that was read after it was found is not made again',
    data,
    { phase: 'located' },
    { device: device(), intents: { available: true, record: { ...record, partitionGuid: 'guid-sda' } } },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'empty, and not to be made, is missing',
    { ...data, provision: false },
    { phase: 'located' },
    { device: device() },
    { kind: 'wait', phase: 'missing' },
  ],
  [
    'not recognised is not empty',
    data,
    { phase: 'located' },
    { device: device({ content: unknown }) },
    { kind: 'fail', code: 'ERR_VOLUME_NOT_EMPTY' },
  ],
  [
    'swap is never overwritten',
    data,
    { phase: 'located' },
    { device: device({ content: swap }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'the wrong filesystem is refused',
    data,
    { phase: 'located' },
    { device: device({ content: ext4 }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'encrypted without keys is refused',
    data,
    { phase: 'located' },
    { device: device({ content: luks }) },
    { kind: 'fail', code: 'ERR_VOLUME_ENCRYPTED' },
  ],
  [
    'clear where encryption is wanted is refused',
    locked,
    { phase: 'located' },
    { device: device({ content: xfs }) },
    { kind: 'fail', code: 'ERR_VOLUME_NOT_ENCRYPTED' },
  ],
  [
    'the right filesystem is adopted',
    data,
    { phase: 'located' },
    { device: device({ content: xfs }) },
    { kind: 'adoptContent', mountLocation: '/dev/sda1' },
  ],

  ['half-made starts with a wipe', data, { phase: 'located' }, making('nothing'), { kind: 'wipe' }],
  [
    'half-made in clear gets its filesystem',
    data,
    { phase: 'provisioned' },
    making('wiped'),
    { kind: 'makeFilesystem' },
  ],
  [
    'half-made encrypted gets its header',
    locked,
    { phase: 'provisioned' },
    making('wiped'),
    { kind: 'formatLuks' },
  ],
  ['a made header is opened', locked, { phase: 'provisioned' }, making('locked'), { kind: 'openLuks' }],
  ['a fresh mapping is cleared', locked, { phase: 'provisioned' }, making('opened'), { kind: 'wipeMapping' }],
  [
    'a cleared mapping gets its filesystem',
    locked,
    { phase: 'provisioned' },
    making('cleared'),
    { kind: 'makeFilesystem' },
  ],
  [
    'what is complete is said to be',
    data,
    { phase: 'provisioned' },
    making('filesystem'),
    { kind: 'finishConstruction' },
  ],
  [
    'a mapping left by a killed run is closed before the wipe',
    locked,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: luks, mapping, provenance: 'begun' }) },
    { kind: 'closeMapping' },
  ],
  [
    'an open mapping is left alone when what is below it is not known to be ours',
    locked,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: luks, mapping, provenance: 'foreign' }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'a blank partition that says it is being made gets the mark first',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, provenance: 'blank' }) },
    { kind: 'putMark' },
  ],
  [
    'a blank disk that was claimed gets the mark first',
    db,
    { phase: 'located' },
    {
      device: device({ found: wholeDisk('sda'), underConstruction: true, provenance: 'blank' }),
      intents: { available: true, record: { ...record, type: 'disk', phase: 'constructing', nonce: 'n' } },
    },
    { kind: 'putMark' },
  ],
  [
    'a blank disk of a record without a nonce is claimed again',
    db,
    { phase: 'located' },
    {
      device: device({ found: wholeDisk('sda'), underConstruction: true, provenance: 'blank' }),
      intents: { available: true, record: { ...record, type: 'disk', phase: 'constructing' } },
    },
    { kind: 'beginConstruction' },
  ],
  ...(['begun', 'blank'] as const).map((provenance): Row => [
    `half-made (${provenance}), and not to be made, is missing`,
    { ...data, provision: false },
    { phase: 'located' },
    { device: device({ underConstruction: true, content: unknown, provenance }) },
    { kind: 'wait', phase: 'missing', reason: '/dev/sda1 was begun and is not complete' },
  ]),
  [
    'what an attempt completed is taken as it is, also where nothing is made',
    { ...data, provision: false },
    { phase: 'located' },
    { device: device({ underConstruction: true, content: xfs, provenance: 'made' }) },
    { kind: 'acceptMade' },
  ],
  [
    'what an attempt completed is taken as it is',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: xfs, provenance: 'made' }) },
    { kind: 'acceptMade' },
  ],
  [
    'an encrypted volume that an attempt completed is not taken in clear',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: luks, provenance: 'made' }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'bytes that nobody knows, and no mark: a disk is left alone',
    db,
    { phase: 'located' },
    {
      device: device({
        found: wholeDisk('sda'),
        underConstruction: true,
        content: unknown,
        provenance: 'foreign',
      }),
    },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'bytes that nobody knows, and no mark: a partition that says it is being made is left alone',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: unknown, provenance: 'foreign' }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'what nobody has asked the device about is left alone',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: unknown }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'half-made, yet mounted, is left alone',
    data,
    { phase: 'located' },
    { device: device({ underConstruction: true, content: xfs, mountedAt: ['/mnt'] }) },
    { kind: 'fail', code: 'ERR_VOLUME_IN_USE' },
  ],
  [
    'a half-made disk that holds something else now is left alone',
    db,
    { phase: 'located' },
    { device: device({ found: wholeDisk('sda'), underConstruction: true, content: ext4 }) },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],

  [
    'a finished header is opened',
    locked,
    { phase: 'located' },
    { device: device({ content: luks }) },
    { kind: 'openLuks' },
  ],
  [
    'an open mapping of ours is adopted',
    locked,
    { phase: 'located' },
    { device: device({ content: luks, mapping }) },
    { kind: 'adoptContent', mountLocation: mapping.path },
  ],
  [
    'a mapping on another device is not ours',
    locked,
    { phase: 'located' },
    { device: device({ content: luks, mapping: { ...mapping, ours: false, device: '/dev/sdb1' } }) },
    { kind: 'fail', code: 'ERR_VOLUME_MAPPING_TAKEN' },
  ],
  [
    'unlocked noise is not formatted',
    locked,
    { phase: 'prepared' },
    { device: device({ content: luks, mapping, inner: unknown }), target: 'free' },
    { kind: 'fail', code: 'ERR_VOLUME_NOT_EMPTY' },
  ],
  [
    'the wrong filesystem inside is refused',
    locked,
    { phase: 'prepared' },
    { device: device({ content: luks, mapping, inner: ext4 }), target: 'free' },
    { kind: 'fail', code: 'ERR_VOLUME_CONTENT' },
  ],
  [
    'where it is, is written down',
    data,
    { phase: 'prepared' },
    { device: device({ content: xfs }), target: 'free' },
    { kind: 'record' },
  ],
  [
    'it is mounted',
    data,
    { phase: 'prepared' },
    { device: device({ content: xfs }), target: 'free', intents: done },
    { kind: 'mount' },
  ],
  [
    'it waits for the mount it lies on',
    onVar,
    { phase: 'prepared' },
    { device: device({ content: xfs }), target: 'free', intents: done, parentMounted: false },
    { kind: 'wait', reason: 'EPHEMERAL is not mounted yet, and /var/mnt/data is on it' },
  ],
  [
    'its own mount is adopted',
    data,
    { phase: 'prepared' },
    { device: device({ content: xfs }), target: mine, intents: done },
    { kind: 'adoptMount' },
  ],
  [
    'a foreign mount on its target is left alone',
    data,
    { phase: 'prepared' },
    { device: device({ content: xfs }), target: { ...mine, ours: false }, intents: done },
    { kind: 'fail', code: 'ERR_VOLUME_TARGET_TAKEN' },
  ],
  ['ready is looked at again', data, { phase: 'ready' }, {}, { kind: 'inspect' }],
  [
    'ready stays',
    data,
    { phase: 'ready' },
    { device: device({ content: xfs }), target: mine, intents: done },
    { kind: 'stay' },
  ],
  [
    'ready takes over mount flags',
    data,
    { phase: 'ready' },
    {
      device: device({ content: xfs }),
      target: { ...mine, flags: { ...secure, noexec: false } },
      intents: done,
    },
    { kind: 'changeMount' },
  ],
  [
    'ready takes the room behind its partition',
    growing,
    { phase: 'ready' },
    {
      device: device({ content: xfs, room: 2n << 30n }),
      target: mine,
      intents: done,
      growth: { filled: 1n << 30n },
    },
    { kind: 'growPartition', size: 2n << 30n },
  ],
  [
    'room that it could not have is not asked for again',
    growing,
    { phase: 'ready' },
    {
      device: device({ content: xfs, room: 2n << 30n }),
      target: mine,
      intents: done,
      growth: { filled: 1n << 30n, refused: 2n << 30n },
    },
    { kind: 'stay' },
  ],
  [
    'room that an earlier volume may want is left to it',
    growing,
    { phase: 'ready' },
    {
      device: device({ content: xfs, room: 2n << 30n }),
      target: mine,
      intents: done,
      growth: { filled: 1n << 30n },
      pending: [{ id: 'EPHEMERAL', disks: ['sda'] }],
    },
    { kind: 'stay' },
  ],
  [
    'a partition that the kernel has smaller than its table is grown to the end',
    growing,
    { phase: 'ready' },
    {
      device: device({ content: xfs, size: 1n << 29n }),
      target: mine,
      intents: done,
      growth: { filled: 1n << 29n },
    },
    { kind: 'growPartition', size: 1n << 30n },
  ],
  [
    'a whole disk that is smaller than it was has no partition that could grow',
    db,
    { phase: 'ready' },
    {
      device: device({ found: wholeDisk('sda'), content: xfs, size: 9n << 30n }),
      target: mine,
      intents: done,
      growth: { filled: 10n << 30n },
    },
    { kind: 'stay' },
  ],
  [
    'ready fills the device that has grown since',
    growing,
    { phase: 'ready' },
    {
      device: device({ content: xfs, size: 2n << 30n }),
      target: mine,
      intents: done,
      growth: { filled: 1n << 30n },
    },
    { kind: 'fillDevice', size: 2n << 30n },
  ],
  [
    'after a start the device is filled, for a crash may have come between partition and filesystem',
    growing,
    { phase: 'ready' },
    { device: device({ content: xfs }), target: mine, intents: done },
    { kind: 'fillDevice', size: 1n << 30n },
  ],
  [
    'mounted read-only nothing grows',
    { ...growing, mount: { ...growing.mount, flags: { ...secure, readOnly: true } } },
    { phase: 'ready' },
    {
      device: device({ content: xfs, room: 2n << 30n }),
      target: { ...mine, flags: { ...secure, readOnly: true } },
      intents: done,
    },
    { kind: 'stay' },
  ],
  [
    'unmounted by somebody else, it is looked for again',
    data,
    { phase: 'ready' },
    { device: device(), target: 'free' },
    { kind: 'wait', phase: 'waiting' },
  ],
];

for (const [title, spec, phase, known, expected] of rows) {
  test(title, (t) => {
    t.like(plan(spec, status(spec, phase), facts(known)), expected);
  });
}

test('whatever is there, only what is under construction or proven empty is ever written to', (t) => {
  const writes = new Set(['wipe', 'formatLuks', 'wipeMapping', 'makeFilesystem', 'beginConstruction']);
  for (const spec of [data, locked, db]) {
    for (const content of [xfs, ext4, luks, swap, unknown]) {
      for (const phase of ['located', 'provisioned', 'prepared', 'ready'] as const) {
        for (const made of ['nothing', 'wiped', 'locked', 'opened', 'cleared', 'filesystem'] as const) {
          const known = facts({ device: device({ content, mapping, inner: unknown }), target: 'free', made });
          const { kind } = plan(spec, status(spec, { phase }), known);
          t.false(writes.has(kind), `${spec.id} ${content.kind} ${phase} ${made}: ${kind}`);
        }
      }
    }
  }
});

test('a disk volume is told why it waits', (t) => {
  const no = { mismatch: 'expression is false' };
  t.is(reason(candidate('sdb'), candidate('sda')), '2 disks match, need 1: sda, sdb');
  t.is(reason(candidate('sda', no)), 'no disk matches: sda: expression is false');
  t.is(reason(candidate('sda', { refusal: 'holds xfs' })), 'no disk can be used: sda: holds xfs');
  t.is(reason(candidate('sda', { owner: 'u-x' })), 'no disk matches: sda: belongs to volume u-x');
  t.is(reason(candidate('sda', { owner: 'u-x' }), candidate('sdb')), 'claimDisk');
});

function withSerial(id: string, serial: string): Candidate {
  const { disk } = candidate(id);
  return candidate(id, { disk: { ...disk, wwid: '', serial } });
}

test('a partition goes where it fits best, and between equals to the stable name', (t) => {
  const gibibyte = 1n << 30n;
  t.is(choice(candidate('sda'), candidate('sdb', { free: 2n * gibibyte })), 'sdb');
  // Which of them the kernel calls sda may be another one after the next start.
  t.is(choice(withSerial('sda', 'B'), withSerial('sdb', 'A')), 'sdb');
  t.is(choice(withSerial('sdb', 'B'), withSerial('sda', 'A')), 'sda');
  t.is(choice(candidate('sda', { free: 400n << 20n })), 'wait');
});

test('a later volume leaves an earlier one its turn on the same disk only', (t) => {
  const pending = [{ id: 'STATE', disks: ['sda'] }];
  const onSda = plan(data, status(data), facts({ found: [], candidates: [candidate('sda')], pending }));
  t.like(onSda, { kind: 'wait', reason: 'STATE takes its space on sda first', wantsSpace: 'anywhere' });
  const onSdb = plan(data, status(data), facts({ found: [], candidates: [candidate('sdb')], pending }));
  t.is(onSdb.kind, 'provisionPartition');
});

function reason(...candidates: readonly Candidate[]): string {
  const action = plan(db, status(db), facts({ found: [], candidates }));
  return action.kind === 'wait' ? action.reason : action.kind;
}

function choice(...candidates: readonly Candidate[]): string {
  const action = plan(data, status(data), facts({ found: [], candidates }));
  return action.kind === 'provisionPartition' ? action.candidate.disk.id : action.kind;
}
