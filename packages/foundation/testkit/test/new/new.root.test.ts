import test from 'ava';

import { Changes } from '../../src/new/change.ts';
import { finish } from '../../src/new/finish.ts';
import { plan } from '../../src/new/plan.ts';
import { checkoutCopy, judge, runTests } from './checkout-copy.ts';

// It needs no root, but half a minute on a busy machine: too long for the unit rung.
test('what is written passes types, lint, format and its own tests at once', async (t) => {
  const directory = await checkoutCopy(t);
  const changes = new Changes(directory);
  await plan(changes, 'command', 'clock-offset');
  await plan(changes, 'rpc', 'clock-rate', { service: 'trim' });
  await plan(changes, 'rpc', 'clock-source', { service: 'kvstore' });
  await plan(changes, 'feature', 'clock');
  await plan(changes, 'resource', 'clock-state', { feature: 'clock' });
  await plan(changes, 'resource', 'stall-history', { feature: 'pressure' });
  const paths = await changes.write();
  t.true(finish(directory, paths));
  t.is(await judge(directory, paths), '');
  const tests = paths.filter((path) => path.endsWith('.test.ts'));
  t.true(tests.length > 0);
  // What looks at all commands and at all resources finds nothing wrong with the new ones.
  const all = ['packages/apps/osctl/test/auth.test.ts', 'packages/apps/agent/test/catalog.test.ts'];
  t.is(await runTests(directory, [...tests, ...all]), '');
});
