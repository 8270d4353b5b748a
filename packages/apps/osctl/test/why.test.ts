import { failure } from '@nodecore/api';
import type { ProveEmptyResponseInit } from '@nodecore/api/storage';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const mib = 1n << 20n;

const receipt = {
  sizeBytes: 1n << 60n,
  begunMillis: 1_700_000_000_000n,
  durationMillis: 12n,
  limitMillis: 1000n,
  read: [
    {
      purpose: 'edges',
      ranges: [
        { offsetBytes: 0n, sizeBytes: mib },
        { offsetBytes: (1n << 60n) - mib, sizeBytes: mib },
      ],
    },
    {
      purpose: 'windows',
      ranges: [1n, 2n, 3n, 4n].map((place) => ({ offsetBytes: place * mib, sizeBytes: 4096n })),
    },
  ],
  probedAt: [0n, 32_256n],
  backupsOf: ['ext4', 'xfs'],
  mapUnknown: 'there is no file behind it',
};

const empty: ProveEmptyResponseInit = { device: 'sda', devPath: '/dev/sda', empty: true, receipt };
const full: ProveEmptyResponseInit = {
  device: 'sda',
  devPath: '/dev/sda',
  empty: false,
  reasons: ['it is mounted on /srv', 'it has data at byte 7\u001b[2J'],
  receipt: { ...receipt, map: 'sampled', mapUnknown: '', found: ['it has data at byte 7\u001b[2J'] },
};

async function get(t: ExecutionContext, answer: ProveEmptyResponseInit, ...argv: string[]) {
  const asked: string[] = [];
  const node = await startFakeNode(t, {
    storage: {
      proveEmpty: ({ request }, reply) => {
        asked.push(request.device);
        if (request.device === 'sdz')
          reply(
            failure(status.NOT_FOUND, 'there is no disk or partition sdz', { code: 'ERR_PROOF_NOT_FOUND' }),
          );
        else reply(null, answer);
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { ...(await osctl(['get', ...argv, '-n', '127.0.0.1'], { env })), asked };
}

test('a disk that is proven empty is shown with all that the proof rests on', async (t) => {
  const { code, out, error, asked } = await get(t, empty, 'disks', '--why', '/dev/disk/by-id/ata-A');
  t.is(error, '');
  t.deepEqual(out.split('\n'), [
    '127.0.0.1: sda: empty, proven',
    '',
    'READ      RANGES   BYTES     AT BYTE',
    'edges     2        2.10 MB   0, 1152921504605798400',
    'windows   4        16.4 kB   1048576, 2097152, 3145728, …',
    '',
    'size                      1.15 EB',
    'libblkid looked at byte   0, 32256',
    'backups looked for        ext4, xfs',
    'map of what was written   none: there is no file behind it',
    'time                      12 ms of 1000 ms, 2023-11-14T22:13:20.000Z',
    '',
  ]);
  t.is(code, 0);
  t.deepEqual(asked, ['/dev/disk/by-id/ata-A']);
});

test('a disk that is not empty is shown with every reason first', async (t) => {
  const { code, out } = await get(t, full, 'disk', '--why=sda');
  t.deepEqual(out.split('\n').slice(0, 5), [
    '127.0.0.1: sda: not empty',
    '  it is mounted on /srv',
    '  it has data at byte 7?[2J',
    '',
    'READ      RANGES   BYTES     AT BYTE',
  ]);
  t.regex(out, /\nmap of what was written {3}a part of it was read\n/);
  t.is(code, 0);
});

test('a disk that does not answer has its reason, and nothing that was read', async (t) => {
  const silent = { device: 'sda', devPath: '/dev/sda', reasons: ['/dev/sda does not answer'] };
  const { out } = await get(t, silent, 'disks', '--why', 'sda');
  t.is(out, '127.0.0.1: sda: not empty\n  /dev/sda does not answer\n');
});

test('JSON and YAML have the whole receipt, with all digits', async (t) => {
  const json = await get(t, full, 'disks', '--why', 'sda', '-o', 'json');
  t.true(json.out.includes('"offsetBytes": 1152921504605798400'));
  t.true(json.out.includes('"sizeBytes": 1152921504606846976'));
  t.like(JSON.parse(json.out), {
    node: '127.0.0.1',
    device: 'sda',
    empty: false,
    reasons: full.reasons,
    receipt: {
      map: 'sampled',
      probedAt: [0, 32_256],
      backupsOf: ['ext4', 'xfs'],
      found: full.receipt?.found,
    },
  });
  const yaml = await get(t, full, 'disks', '--why', 'sda', '-o', 'yaml');
  t.regex(yaml.out, /\n {8}- offsetBytes: 1152921504605798400\n/);
  const path = await get(t, full, 'disks', '--why', 'sda', '-o', 'jsonpath={.receipt.limitMillis}');
  t.is(path.out, '1000\n');
});

test('a disk that a node does not have fails with what the node says', async (t) => {
  const { code, out, error } = await get(t, empty, 'disks', '--why', 'sdz');
  t.is(code, 3);
  t.is(out, '');
  t.regex(error, /there is no disk or partition sdz/);
});

test('of several nodes each has its section, and one that fails is told at the end', async (t) => {
  const storage = {
    proveEmpty: (_call: unknown, reply: (error: null, answer: object) => void) => reply(null, empty),
  };
  const node = await startFakeNode(t, { storage });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const nodes = ['-n', `127.0.0.1,localhost:${node.port},127.0.0.1:1`];
  const { code, out, error } = await osctl(['get', 'disks', '--why', 'sda', ...nodes], { env });
  t.deepEqual(
    out.split('\n').filter((line) => line.endsWith('proven')),
    ['127.0.0.1: sda: empty, proven', `localhost:${node.port}: sda: empty, proven`],
  );
  t.not(code, 0);
  t.regex(error, /1 of 3 nodes failed/);
});

for (const [argv, message] of [
  [['disks', '--match', 'system_disk'], /--why and --match are two questions/],
  [['disks', '-w'], /leave out --watch/],
  [['disks', 'sdb'], /--why names the disk itself; leave out sdb/],
  [['disks', '--insecure'], /nobody has in maintenance mode/],
  [['disks', '--namespace', 'runtime'], /leave out --namespace/],
  [['volumestatuses'], /--why asks about disks/],
  [['discoveredvolumes'], /--why asks about disks/],
] as const) {
  test(`get ${argv.join(' ')} with --why is a usage error`, async (t) => {
    const { code, out, error, asked } = await get(t, empty, ...argv, '--why', 'sda');
    t.is(code, 2);
    t.is(out, '');
    t.regex(error, message);
    t.deepEqual(asked, []);
  });
}
