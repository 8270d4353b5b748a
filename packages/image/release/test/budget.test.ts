import type { Release } from '@nodecore/schematic/release';
import test from 'ava';

import { assertWithinBudget } from '../src/budget.ts';

const mib = 1 << 20;
const sha256 = 'ab'.repeat(32);

const release = (files: Readonly<Record<string, number>>): Release => ({
  layout: 1,
  version: 'v1.14.0',
  channel: 'stable',
  created: '2026-11-22T00:00:00Z',
  minimumVersion: 'v1.14.0',
  architectures: { amd64: { kernelVersion: '6.1.0' } },
  files: Object.fromEntries(Object.entries(files).map(([path, size]) => [path, { size, sha256 }])),
});

test('each file of a release has a budget, and each extension its own', (t) => {
  t.notThrows(() =>
    assertWithinBudget(release({ 'amd64/kernel': mib, 'amd64/extensions/os/a.sqsh': 256 * mib })),
  );
  const large = release({ 'amd64/kernel': 99 * mib, 'amd64/extensions/os/kernel.sqsh': 257 * mib });
  const error = t.throws(() => assertWithinBudget(large), { code: 'ERR_BUILD_SIZE' });
  t.regex(
    error?.message ?? '',
    /amd64\/kernel has .*; amd64\/extensions\/os\/kernel\.sqsh has 269484032 bytes/u,
  );
  t.throws(() => assertWithinBudget(release({ 'amd64/surprise': 1 })), { code: 'ERR_BUILD_SIZE' });
});
