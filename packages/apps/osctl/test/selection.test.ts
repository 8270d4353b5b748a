import { UsageError } from '@nodecore/cli';
import test from 'ava';

import { Selection } from '../src/get/selection.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const type = 'Disks.block.nodecore.dev';

function selects(selector: string, labels: Record<string, string>): boolean {
  return new Selection({ selector }).has({ metadata: { id: 'a', labels } } as never);
}

test('labels are equal, different, there or not, and in sets; all terms have to hold', (t) => {
  const labels = { app: 'db', 'nodecore.dev/tier': '', zone: 'a' };
  for (const selector of [
    '',
    'app=db',
    'app==db',
    'app != web',
    'app',
    '!other',
    'other!=x',
    'zone in (a, b)',
    'zone notin (c)',
    'other notin (a)',
    'nodecore.dev/tier=',
    'app=db,zone in (a,b),!other',
  ])
    t.true(selects(selector, labels), selector);
  for (const selector of [
    'app=web',
    'app!=db',
    'other',
    '!app',
    'zone in (b)',
    'other in (a)',
    'app=db,zone=b',
  ])
    t.false(selects(selector, labels), selector);
  t.false(selects('constructor', labels), 'what objects have of their own is no label');
});

test('what is no selector is refused', (t) => {
  for (const selector of ['=', 'a=b=c', 'a,,b', ',', 'a,', '!a=b', 'a in b', 'a in (b', 'a b', 'a>1'])
    t.throws(() => new Selection({ selector }), { instanceOf: UsageError }, selector);
});

test('ids are chosen by patterns, of which one has to fit', async (t) => {
  const specs = { [type]: { sda: {}, sdb: {}, nvme0n1: {}, 'sda.x': {} } };
  const { endpoint } = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const ids = async (...patterns: readonly string[]): Promise<string[]> => {
    const flags = ['--ids', patterns.join(','), '-o', 'jsonpath=.metadata.id'];
    return (await osctl(['get', 'disks', ...flags], { env })).out.trimEnd().split('\n');
  };
  t.deepEqual(await ids('sd?'), ['sda', 'sdb']);
  t.deepEqual(await ids('sda.*', 'nvme*'), ['nvme0n1', 'sda.x']);
});

test('what comes into a selection is new to a watch, and what leaves it is gone', (t) => {
  const select = new Selection({ selector: 'app=db' }).follow();
  const seen = (kind: 'created' | 'updated' | 'destroyed', app: string): readonly string[] =>
    select({ kind, resource: { metadata: { namespace: 'n', id: 'a', labels: { app } } } } as never).map(
      (change) => change.kind,
    );
  t.deepEqual(seen('created', 'web'), []);
  t.deepEqual(seen('updated', 'db'), ['created']);
  t.deepEqual(seen('updated', 'db'), ['updated']);
  t.deepEqual(seen('updated', 'web'), ['destroyed']);
  t.deepEqual(seen('updated', 'web'), []);
  t.deepEqual(seen('updated', 'db'), ['created']);
  t.deepEqual(seen('destroyed', 'db'), ['destroyed']);
  t.deepEqual(seen('destroyed', 'db'), []);
  t.deepEqual(select({ kind: 'bootstrapped' }), [{ kind: 'bootstrapped' }]);
});
