import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ServiceStatus, Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { followDhcp } from '../src/dhcp/dhcp.ts';

function argv(): readonly [string, string] {
  return ['sleep', '1000'];
}

test('an interface that goes takes its program along, and has a new one when it is back', async (t) => {
  const directory = await temporaryDirectory(t);
  const interfaces = join(directory, 'interfaces');
  const plug = async (): Promise<void> => {
    await mkdir(join(interfaces, 'eth0', 'device'), { recursive: true });
    await writeFile(join(interfaces, 'eth0', 'type'), '1\n');
  };
  await plug();
  const supervisor = await Supervisor.open({ directory: join(directory, 'services'), tethered: true });
  const [clock, stop] = [new FakeClock(), new AbortController()];
  const running = followDhcp({ services: async () => supervisor, clock, interfaces, argv }, stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
    await supervisor[Symbol.asyncDispose]();
  });
  const until = async (
    wanted: (list: readonly ServiceStatus[]) => boolean,
  ): Promise<readonly ServiceStatus[]> => {
    while (!wanted(supervisor.list)) {
      await new Promise(setImmediate);
      clock.advance(2000);
    }
    return supervisor.list;
  };
  const [first] = await until(([one]) => one?.state === 'Running');
  t.is(first!.id, 'dhcpcd-eth0');
  await rm(join(interfaces, 'eth0'), { recursive: true });
  t.deepEqual(await until((list) => list.length === 0), []);
  await plug();
  const [second] = await until(([one]) => one?.state === 'Running');
  t.not(second!.pid, first!.pid);
  stop.abort();
  await running;
  t.deepEqual(supervisor.list, []);
});
