import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  type AdvisoryList,
  buildDatabase,
  type Component,
  debianComponent,
  genericComponent,
  npmComponent,
  VulnerabilityDatabase,
} from '../src/index.ts';

export const now: Date = new Date('2026-11-23T12:00:00Z');
export const made: Date = new Date('2026-11-20T07:00:00Z');

export const product: Component = genericComponent('nodeos', 'v1.14.0');

/** A library whose source has another name and another version. */
export const libc: Component = debianComponent({
  name: 'libc6',
  version: '2.36-9+deb12u4+b1',
  architecture: 'amd64',
  source: { name: 'glibc', version: '2.36-9+deb12u4' },
  distribution: 'debian-12',
});

export const components: readonly Component[] = [
  libc,
  debianComponent({
    name: 'kmod',
    version: '30+20221128-1',
    architecture: 'amd64',
    source: { name: 'kmod', version: '30+20221128-1' },
    distribution: 'debian-12',
  }),
  npmComponent('@grpc/grpc-js', '1.9.0', 'Apache-2.0'),
  genericComponent('node', '24.21.0'),
];

const releases = (status: string, fixed?: string, urgency = 'not yet assigned') => ({
  bookworm: { status, urgency, ...(fixed !== undefined && { fixed_version: fixed }) },
  trixie: { status: 'resolved', fixed_version: '0', urgency },
});

/** As Debian's tracker has it. */
export const tracker = {
  glibc: {
    'CVE-2026-0001': { description: 'a buffer', releases: releases('resolved', '2.36-9+deb12u5', 'high') },
    'CVE-2026-0002': { description: 'fixed long ago', releases: releases('resolved', '2.36-9+deb12u4') },
    'CVE-2026-0003': { releases: releases('open', undefined, 'unimportant') },
    'CVE-2026-0004': { releases: releases('undetermined') },
    'CVE-2026-0005': { releases: releases('resolved', '0') },
  },
  libc6: { 'CVE-2026-0006': { releases: releases('open') } },
  kmod: {
    'CVE-2026-0007': { description: 'modules\u001b[31m', releases: releases('open', undefined, 'low**') },
  },
};

/** As OSV has it. */
export const osv = [
  {
    id: 'GHSA-aaaa-bbbb-cccc',
    modified: '2026-11-01T00:00:00Z',
    aliases: ['CVE-2026-1000'],
    summary: 'memory of messages',
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' }],
    affected: [
      {
        package: { ecosystem: 'npm', name: '@grpc/grpc-js' },
        ranges: [
          { type: 'GIT', events: [{ introduced: '0' }] },
          {
            type: 'SEMVER',
            events: [
              { introduced: '1.9.0' },
              { fixed: '1.9.15' },
              { introduced: '1.10.0' },
              { fixed: '1.10.9' },
            ],
          },
        ],
      },
      { package: { ecosystem: 'PyPI', name: 'grpcio' }, ranges: [] },
    ],
  },
  {
    id: 'GHSA-with-draw-nnnn',
    modified: '2026-11-01T00:00:00Z',
    withdrawn: '2026-11-02T00:00:00Z',
    affected: [{ package: { ecosystem: 'npm', name: '@grpc/grpc-js' }, versions: ['1.9.0'] }],
  },
];

export const lists: readonly AdvisoryList[] = [
  { name: 'tracker', text: JSON.stringify(tracker), made },
  { name: 'osv', text: JSON.stringify(osv), made: new Date('2026-11-21T07:00:00Z') },
];

/** A database of these lists, closed with the test. */
export async function sampleDatabase(t: ExecutionContext): Promise<VulnerabilityDatabase> {
  const path = join(await temporaryDirectory(t), 'vulnerabilities.db');
  buildDatabase(path, lists, { now });
  const database = VulnerabilityDatabase.open(path);
  t.teardown(() => database[Symbol.dispose]());
  return database;
}
