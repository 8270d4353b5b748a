import { access } from 'node:fs/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { changeChaos } from '../src/chaos.ts';
import { closConfig } from '../src/gateway/bird-clos.ts';
import { lldpProgram } from '../src/gateway/lldp.ts';
import { ClusterDirectory, devNotes, makePlan, readDevRequest } from '../src/index.ts';
import { machineOf } from '../src/machine-spec.ts';
import { lanOf } from '../src/plan.ts';
import { devFlags } from './requests.ts';

const id = '000102030405060708090a0b0c0d0e0f';
const flags = { ...devFlags, withBgpClos: true };

test('machines behind routers have two cards and none at the bridge, and find their configuration on a medium', (t) => {
  const request = readDevRequest(flags);
  t.like(request, { services: ['bgp-clos'], injection: 'metal-iso' });
  t.like(request.settings, { vip: '10.5.0.50', balancer: undefined });
  const plan = makePlan(request, id);
  const [first, second] = plan.nodes;
  t.deepEqual(
    lanOf(plan)?.hosts.map(({ links }) => links),
    [
      ['tap1-0', 'tap1-1'],
      ['tap2-0', 'tap2-1'],
    ],
  );
  const { nics = [] } = machineOf(plan, second!);
  t.deepEqual(
    nics.map(({ backend }) => 'interface' in backend && backend.interface),
    ['tap2-0', 'tap2-1'],
  );
  const macs = [first, second].flatMap((node) => node?.links?.map(({ mac }) => mac));
  t.is(new Set(macs).size, 4);
  t.is(nics[0]?.mac, second?.mac, 'the first card is the one that others know');
  const { argv } = lldpProgram('/bin/lldpd', plan, '/lan');
  t.is(argv[argv.indexOf('-I') + 1], 'tap1-0,tap1-1,tap2-0,tap2-1');
  t.true(devNotes(flags).some((line) => line.startsWith('--with-bgp-clos: ')));
});

test('the router takes from each cable what is of the node behind it, and the shared address of control planes', (t) => {
  const config = closConfig(makePlan(readDevRequest({ ...flags, mtu: '1400' }), id));
  t.true(config.includes('interface "tap1-1";\n  neighbor range fe80::/10 as 65001;'));
  t.true(config.includes('interface "tap2-0";\n  neighbor range fe80::/10 as 65002;'));
  t.is(config.split('import where net ~ [ 10.5.0.2/32, 10.5.0.50/32 ];').length, 3);
  t.is(config.split('import where net ~ [ 10.5.0.3/32 ];').length, 3);
  t.true(config.includes('default lifetime 0; link mtu 1400;'));
});

test('what happens to frames is not changed where no machine is at the bridge', async (t) => {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  const plan = makePlan(readDevRequest(flags), id);
  const error = await t.throwsAsync(
    changeChaos(directory, plan, plan.nodes, { effects: { latencyMs: 50 } }),
    {
      code: 'ERR_CLUSTER_REQUEST',
    },
  );
  t.true(error?.message.startsWith('example has no cable'), error?.message);
  await t.throwsAsync(access(directory.path), { code: 'ENOENT' });
});
