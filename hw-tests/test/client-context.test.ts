import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loadOsconfig, Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type MergedContext, mergeContext } from '../src/node/client-context.ts';

/** A user's client config, and the nodes of checkouts. */
async function setUp(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const env = { HOME: directory };
  const node = async (checkout: string) => {
    const authority = await pki.createCA(checkout);
    using _key = authority.key;
    const own = Osconfig.empty('own');
    own.set('virtual-node', { endpoints: ['127.0.0.1:1'], ca: authority.crt });
    const osconfig = join(directory, checkout.replace('/', '-'));
    await writeFile(osconfig, own.encode());
    return (port: number): Promise<MergedContext> =>
      mergeContext('virtual-node', { controlplane: '', osconfig }, port, {
        env,
        checkout: `/src/${checkout}`,
      });
  };
  return { node, config: async () => (await loadOsconfig({ env })).osconfig };
}

test('the context of a node that is started again is its own, also on another port', async (t) => {
  const { node, config } = await setUp(t);
  const merge = await node('one');
  t.like(await merge(50_000), { name: 'virtual-node', taken: undefined });
  t.like(await merge(50_001), { name: 'virtual-node', taken: undefined });
  const osconfig = await config();
  t.deepEqual(osconfig.names, ['virtual-node']);
  t.deepEqual(osconfig.context().endpoints, ['127.0.0.1:50001']);
});

test('the context of another checkout stays as it is, and current', async (t) => {
  const { node, config } = await setUp(t);
  const [one, two, three] = await Promise.all(['one', 'two', 'elsewhere/two'].map(node));
  await one?.(50_000);
  const first = (await config()).context();
  t.like(await two?.(51_007), { name: 'virtual-node-two', taken: '127.0.0.1:50000' });
  t.like(await two?.(51_008), { name: 'virtual-node-two', taken: '127.0.0.1:50000' });
  t.like(await three?.(51_009), { name: 'virtual-node-two-2', taken: '127.0.0.1:50000' });
  const osconfig = await config();
  t.deepEqual(osconfig.names, ['virtual-node', 'virtual-node-two', 'virtual-node-two-2']);
  t.deepEqual(osconfig.context(), first);
  t.deepEqual(osconfig.context('virtual-node-two').endpoints, ['127.0.0.1:51008']);
});

test('a node that takes the place of one at the same address takes its context, too', async (t) => {
  const { node, config } = await setUp(t);
  await (
    await node('one')
  )(50_000);
  t.like(await (await node('two'))(50_000), { name: 'virtual-node', taken: undefined });
  t.deepEqual((await config()).names, ['virtual-node']);
});
