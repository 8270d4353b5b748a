import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../machine/test/guests.ts';
import { ClusterDirectory, makePlan } from '../src/index.ts';
import { copyDiskImage, type DiskShape } from '../src/disk-copy.ts';
import { KeptNode } from '../src/keeper/kept-node.ts';
import { lockBoot } from '../src/lock.ts';
import { freePort } from '../src/preflight.ts';
import { tinyRequest } from './requests.ts';

const blank = async (path: string): Promise<void> => await writeFile(path, '');

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

testWith(program('qemu-system-x86_64'))(
  'a machine that starts while its kernel is exchanged has none of before',
  async (t) => {
    const home = await temporaryDirectory(t);
    const door = { address: '127.0.0.1', port: await freePort() };
    const image = { kernel: join(home, 'before'), initrd: join(home, 'before'), arguments: '' };
    const request = { ...tinyRequest(home), network: 'user', workers: 0, image } as const;
    const plan = makePlan(request, '0'.repeat(32), () => door);
    const directory = new ClusterDirectory(home, 'example');
    await directory.make();
    const begun = Promise.withResolvers<void>();
    const accelerator = (): Promise<'tcg'> => {
      begun.resolve();
      return Promise.resolve('tcg');
    };
    const [planned] = plan.nodes;
    const node = await KeptNode.open(plan, planned!, directory, blank, accelerator, () => {});
    t.teardown(() => node.close());
    const lock = await lockBoot(directory);
    const started = node.powerOn();
    await begun.promise;
    await Promise.race([started.catch(() => {}), setTimeout(500)]); // who does not wait has read by then
    await mkdir(directory.boot);
    for (const name of ['kernel', 'initrd']) await writeFile(join(directory.boot, name), '');
    await lock[Symbol.asyncDispose]();
    const { message } = await t.throwsAsync(started);
    t.true(message.includes(join(directory.boot, 'kernel')), message);
  },
);
