import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../machine/test/guests.ts';
import { callKeeper, destroyCluster, planCluster, showCluster, startKeeper } from '../src/index.ts';
import { ipmiPasswordFile } from '../src/ipmi/controllers.ts';
import { redfishFiles } from '../src/redfish/credentials.ts';
import { ipmitool } from './ipmitool.ts';
import { tinyRequest } from './requests.ts';

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
  program('curl'),
  program('ipmitool'),
)(
  'machines are switched off, on and anew by Redfish and by IPMI, which go on when all are off',
  async (t) => {
    const home = await temporaryDirectory(t);
    await tinyMachine(home, 'deaf');
    const request = { ...tinyRequest(home), redfish: true as const, ipmi: true as const };
    await using cluster = await planCluster(request, join(home, 'clusters'));
    const { directory, plan } = cluster;
    t.teardown(() => destroyCluster(directory));
    await startKeeper(directory, join(home, 'cache'));
    await callKeeper(directory, { method: 'create' });
    const url = (await showCluster(directory)).redfish ?? '';
    t.regex(url, /^https:\/\/127\.\d+\.\d+\.1:8443\/redfish\/v1\/$/);
    const files = redfishFiles(directory);
    const reset = async (name: string, type: string): Promise<void> => {
      const password = await readFile(files.password, 'utf8');
      const who = ['--cacert', files.crt, '-u', `admin:${password}`];
      const data = ['-X', 'POST', '--data', JSON.stringify({ ResetType: type })];
      const action = `${url}Systems/${name}/Actions/ComputerSystem.Reset`;
      await promisify(execFile)('curl', ['-sS', '--fail', ...who, ...data, action]);
    };
    const states = async (): Promise<readonly string[]> =>
      (await showCluster(directory)).nodes.map(({ state }) => state);
    for (const { name } of plan.nodes) await reset(name, 'ForceOff');
    t.deepEqual(await states(), ['off', 'off']);
    const [first] = plan.nodes;
    await reset(first?.name ?? '', 'On');
    t.deepEqual(await states(), ['running', 'off']);
    await reset(first?.name ?? '', 'PowerCycle');
    t.deepEqual(await states(), ['running', 'off']);

    const [, second] = (await showCluster(directory)).nodes;
    const [address = '', port = ''] = second?.ipmi?.split(':') ?? [];
    t.regex(address, /^127\.\d+\.\d+\.3$/);
    t.is(port, '623');
    const chassis = async (...words: readonly string[]): Promise<string> => {
      const who = ['-H', address, '-p', port, '-U', 'admin', '-f', ipmiPasswordFile(directory)];
      return (await ipmitool([...who, 'chassis', 'power', ...words])).said;
    };
    const until = async (words: string): Promise<void> => {
      while ((await chassis('status')) !== words);
    };
    t.is(await chassis('status'), 'Chassis Power is off');
    t.is(await chassis('on'), 'Chassis Power Control: Up/On');
    await until('Chassis Power is on');
    t.deepEqual(await states(), ['running', 'running']);
    t.is(await chassis('off'), 'Chassis Power Control: Down/Off');
    await until('Chassis Power is off');
    t.deepEqual(await states(), ['running', 'off']);
  },
);
