import { connect } from '@nodecore/api';
import type { StorageServiceHandlers } from '@nodecore/api/storage';
import * as pki from '@nodecore/pki';
import type { VolumeStatus } from '@nodecore/volumes';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { ProofError } from '../src/proofs/errors.ts';
import { type Proof, Proofs } from '../src/proofs/proofs.ts';
import { proofHandler } from '../src/proofs/proof-service.ts';
import { callerWith } from './callers.ts';
import { disk, inventory, partition } from './inventory.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
const operator = await pki.issueClient(ca, { roles: ['os:operator'] });

async function setUp(t: ExecutionContext, prove: Proofs['prove']) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const stopping = new AbortController().signal;
  const options = {
    log: pino({ level: 'trace' }, { write }),
    callerOf: () => callerWith('os:operator'),
    stopping,
  };
  const storage = { proveEmpty: proofHandler({ prove }, options) } as StorageServiceHandlers;
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, storage });
  const client = connect({ endpoint, ca: ca.crt, crt: operator.crt, key: operator.key });
  t.teardown(() => client.close());
  return { client, audit: () => lines.filter((line) => line['audit'] === true) };
}

const receipt = {
  device: '/dev/sda',
  size: 1n << 60n,
  at: 1_700_000_000_000,
  tookMs: 3.4,
  limitMs: 15_000,
  read: [{ purpose: 'edges', ranges: [{ offset: (1n << 60n) - 1n, size: 1n }] }],
  probedAt: [0n, 32_256n],
  backupsOf: ['ext4'],
  map: { unknown: 'there is no file behind it' },
  users: ['it is mounted'],
  found: ['it has data at byte 7'],
  unproven: ['a window was not read'],
  isLate: true,
} as const;

test('the whole receipt is told, and who asked for it is in the log', async (t) => {
  const answer: Proof = {
    device: 'sda',
    devPath: '/dev/sda',
    empty: false,
    reasons: ['it is mounted'],
    receipt,
  };
  const { client, audit } = await setUp(t, async (name) => {
    t.is(name, 'sda');
    return answer;
  });
  t.deepEqual(await client.proveEmpty({ device: 'sda' }), {
    device: 'sda',
    devPath: '/dev/sda',
    empty: false,
    reasons: ['it is mounted'],
    receipt: {
      sizeBytes: 1n << 60n,
      begunMillis: 1_700_000_000_000n,
      durationMillis: 3n,
      limitMillis: 15_000n,
      read: [{ purpose: 'edges', ranges: [{ offsetBytes: (1n << 60n) - 1n, sizeBytes: 1n }] }],
      probedAt: [0n, 32_256n],
      backupsOf: ['ext4'],
      map: '',
      mapUnknown: 'there is no file behind it',
      users: ['it is mounted'],
      found: ['it has data at byte 7'],
      unproven: ['a window was not read'],
    },
  });
  t.like(audit()[0], { action: 'prove-empty', device: 'sda', outcome: 'begun', roles: ['os:operator'] });
  t.like(audit()[1], { action: 'prove-empty', outcome: 'done' });
});

test('a disk that nobody knows has its own status and its own line', async (t) => {
  const { client, audit } = await setUp(t, async () => {
    throw new ProofError('ERR_PROOF_NOT_FOUND', 'there is no disk or partition sdz');
  });
  await t.throwsAsync(client.proveEmpty({ device: 'sdz' }), {
    code: 'ERR_API_NOT_FOUND',
    message: /there is no disk or partition sdz/,
  });
  t.like(audit()[1], { outcome: 'failed', code: 'ERR_PROOF_NOT_FOUND' });
});

const known = inventory(
  [
    disk('sda', { symlinks: ['/dev/disk/by-id/ata-A'] }),
    disk('sdb', { unresponsive: true }),
    disk('sr0', { cdrom: true }),
    disk('dm-0', { mapping: { name: 'u-lock', uuid: '', maker: 'CRYPT' } }),
  ],
  [partition('sda', 1, { symlinks: ['/dev/disk/by-partlabel/rest'] })],
);

/** Proofs of disks that are all empty, with what was read for them. */
function proofs(
  t: ExecutionContext,
  more: Partial<ConstructorParameters<typeof Proofs>[0]> = {},
  statuses: readonly VolumeStatus[] = [],
): { readonly read: string[]; readonly prove: (name: string) => Promise<Proof> } {
  const read: string[] = [];
  const all = new Proofs({
    inventory: { value: known },
    isConfigured: () => true,
    volumes: {
      statuses: () => statuses,
      proveEmpty: async (place) => {
        read.push(`${place.devPath} on ${place.disk.id}`);
        return { empty: true, reasons: [], receipt };
      },
    },
    ...more,
  });
  const { signal } = new AbortController();
  t.teardown(() => read.splice(0));
  return { read, prove: (name) => all.prove(name, signal) };
}

for (const [name, device, place] of [
  ['sda', 'sda', '/dev/sda on sda'],
  ['/dev/sda', 'sda', '/dev/sda on sda'],
  ['/dev/disk/by-id/ata-A', 'sda', '/dev/sda on sda'],
  ['/dev/mapper/u-lock', 'dm-0', '/dev/dm-0 on dm-0'],
  ['sda1', 'sda1', '/dev/sda1 on sda'],
  ['/dev/disk/by-partlabel/rest', 'sda1', '/dev/sda1 on sda'],
] as const) {
  test(`${name} names ${device}`, async (t) => {
    const { read, prove } = proofs(t);
    t.like(await prove(name), { device, empty: true });
    t.deepEqual(read, [place]);
  });
}

test('what is no disk is not read, and neither is one that hangs', async (t) => {
  const { read, prove } = proofs(t);
  for (const name of ['sdz', '/dev/../dev/sda', '/etc/passwd', 'dev/sda'])
    await t.throwsAsync(prove(name), {
      code: 'ERR_PROOF_NOT_FOUND',
      message: `there is no disk or partition ${name}`,
    });
  await t.throwsAsync(prove(''), { code: 'ERR_PROOF_REQUEST' });
  await t.throwsAsync(prove('sr0'), { code: 'ERR_PROOF_REQUEST', message: /optical drive/ });
  t.deepEqual(await prove('sdb'), {
    device: 'sdb',
    devPath: '/dev/sdb',
    empty: false,
    reasons: ['/dev/sdb does not answer'],
  });
  t.deepEqual(read, []);
});

test('before the disks and the volumes are known nobody is told anything', async (t) => {
  await t.throwsAsync(proofs(t, { isConfigured: () => false }).prove('sda'), { code: 'ERR_PROOF_BUSY' });
  await t.throwsAsync(proofs(t, { inventory: { value: undefined } }).prove('sda'), {
    code: 'ERR_PROOF_BUSY',
  });
});

const status = (more: Partial<VolumeStatus>): VolumeStatus => ({
  id: 'u-data',
  type: 'partition',
  phase: 'prepared',
  configuredEncryptionKeys: [],
  encryptionFailedSyncs: [],
  ...more,
});

for (const [what, name, place] of [
  ['disk', 'sda', { location: '/dev/sda' }],
  ['partition', 'sda1', { location: '/dev/sda1', parentLocation: '/dev/sda' }],
  ['disk of a partition', 'sda', { location: '/dev/sda1', parentLocation: '/dev/sda' }],
  ['mapping', 'dm-0', { location: '/dev/sdz', mountLocation: '/dev/mapper/u-lock' }],
] as const) {
  test(`a ${what} on which a volume is at work is not kept from it; later it is read`, async (t) => {
    for (const phase of ['located', 'provisioned', 'prepared'] as const) {
      const { read, prove } = proofs(t, {}, [status({ ...place, phase })]);
      const { empty, reasons } = await prove(name);
      t.false(empty);
      t.regex(reasons.join(), /^volume u-data is at work on \/dev\/(sda|dm-0): try again later$/);
      t.deepEqual(read, []);
    }
    for (const phase of ['ready', 'failed', 'closed'] as const)
      t.true((await proofs(t, {}, [status({ ...place, phase })]).prove(name)).empty);
    t.true((await proofs(t, {}, [status({ location: '/dev/sdz' })]).prove(name)).empty);
  });
}
