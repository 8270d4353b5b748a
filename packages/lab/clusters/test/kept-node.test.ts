import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../machine/test/guests.ts';
import { ClusterDirectory, makePlan } from '../src/index.ts';
import { copyDiskImage, type DiskShape } from '../src/disk-copy.ts';
import { KeptNode } from '../src/keeper/kept-node.ts';
import { freePort } from '../src/preflight.ts';
import { tinyRequest } from './requests.ts';

testWith(program('qemu-system-x86_64'))(
  'a machine that is stopped while it is started again after a reset stays off',
  async (t) => {
    const home = await temporaryDirectory(t);
    await tinyMachine(home, 'resetting');
    const door = { address: '127.0.0.1', port: await freePort() };
    const request = { ...tinyRequest(home), network: 'user', workers: 0 } as const;
    const plan = makePlan(request, '0'.repeat(32), () => door);
    const directory = new ClusterDirectory(home, 'example');
    await directory.make();
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const said: string[] = [];
    let starts = 0;
    const accelerator = async (): Promise<'tcg'> => {
      starts += 1;
      if (starts === 2) {
        started.resolve();
        await released.promise;
      }
      return 'tcg';
    };
    const image = async (path: string, shape: DiskShape): Promise<void> =>
      await copyDiskImage(join(home, 'boot.disk'), path, shape);
    const [planned] = plan.nodes;
    const node = await KeptNode.open(plan, planned!, directory, image, accelerator, (line) =>
      said.push(line),
    );
    t.teardown(async () => {
      await node.powerOff(0);
      await node.close();
    });
    await node.powerOn();
    await started.promise; // its guest has reset
    const stopped = node.powerOff(0);
    released.resolve();
    await stopped;
    t.false(node.isOn);
    await setImmediate();
    await node.machine.powerOff({ graceMs: 0 }); // behind a start that would still be to come
    t.is(said.filter((line) => line.endsWith(' running')).length, 1);
    await node.powerOn();
    t.true(node.isOn, 'and goes on when it is told to');
  },
);
