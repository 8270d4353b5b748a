import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ServiceStatus, Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { followDhcp, ignoredInterfaces } from '../src/dhcp/dhcp.ts';

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

test('an interface that the command line has ignored gets no program, beside one that does', async (t) => {
  const directory = await temporaryDirectory(t);
  const interfaces = join(directory, 'interfaces');
  for (const name of ['eth0', 'eth1']) {
    await mkdir(join(interfaces, name, 'device'), { recursive: true });
    await writeFile(join(interfaces, name, 'type'), '1\n');
  }
  const defined: string[] = [];
  const stop = new AbortController();
  const services = {
    define: async ({ id }: { readonly id: string }) => {
      defined.push(id);
      stop.abort();
    },
    withdraw: async () => {},
  };
  await followDhcp(
    {
      services: async () => services as unknown as Supervisor,
      clock: new FakeClock(),
      ignored: ignoredInterfaces('quiet os.network.interface.ignore=eth7 os.network.interface.ignore=eth0\n'),
      interfaces,
      argv,
    },
    stop.signal,
  );
  t.deepEqual(defined, ['dhcpcd-eth1']);
});
