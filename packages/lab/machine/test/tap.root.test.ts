import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { ioctl } from '@nodecore/sys';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { endKept, Machine } from '../src/index.ts';
import { tinyMachine } from './guests.ts';

/** linux/if_tun.h: TUNSETIFF; IFF_TAP, IFF_NO_PI, IFF_VNET_HDR. */
const [setInterface, flags] = [0x400454ca, 0x0002 | 0x1000 | 0x4000];

testWith(root, program('qemu-system-x86_64'))(
  'a card on a tap device holds it for as long as its machine is on',
  async (t) => {
    const name = `ncm${process.pid}`;
    const tap = await open('/dev/net/tun', 'r+');
    const request = Buffer.alloc(40); // struct ifreq
    request.write(name);
    request.writeInt16LE(flags, 16);
    await ioctl({ fd: tap.fd, path: '/dev/net/tun', name: 'TUNSETIFF' }, setInterface, request);
    const there = (): boolean => readdirSync('/sys/class/net').includes(name);
    t.true(there());
    for (const lifetime of ['tethered', 'kept'] as const) {
      const directory = await temporaryDirectory(t);
      const spec = await tinyMachine(directory, 'deaf');
      const nics = [{ backend: { kind: 'user' } }, { backend: { kind: 'tap', descriptor: tap.fd } }] as const;
      await using machine = await Machine.open({ ...spec, nics, ports: ['a'] }, { directory, lifetime });
      await machine.powerOn();
      t.is(machine.state, 'running');
      if (lifetime === 'kept') await tap.close();
      t.true(there());
      if (lifetime === 'tethered') await machine.kill();
      else await endKept(directory); // as who removes all of it, and keeps nothing
      await machine.stopped();
    }
    t.false(there());
  },
);

testWith(
  root,
  program('qemu-system-x86_64'),
  program('ip'),
)('a kept machine runs in a network namespace, on a tap by its name, and is found again there', async (t) => {
  const directory = await temporaryDirectory(t);
  const namespace = `ncm-${basename(directory)}`;
  const path = `/run/netns/${namespace}`;
  await output(['ip', 'netns', 'add', namespace]);
  t.teardown(() => output(['ip', 'netns', 'delete', namespace]));
  await output(['ip', '-n', namespace, 'tuntap', 'add', 'dev', 'tap0-0', 'mode', 'tap', 'vnet_hdr']);
  const tiny = await tinyMachine(directory, 'deaf');
  const nics = [{ backend: { kind: 'tap', interface: 'tap0-0' } }] as const;
  const spec = { ...tiny, nics, networkNamespace: path };
  const options = { directory, lifetime: 'kept' } as const;
  {
    await using machine = await Machine.open(spec, options);
    await machine.powerOn();
  }
  const record = JSON.parse(readFileSync(join(directory, 'machine.programs'), 'utf8')) as { pid: number };
  t.is(readlinkSync(`/proc/${record.pid}/ns/net`), `net:[${statSync(path).ino}]`);
  await using machine = await Machine.open(spec, options);
  t.is(machine.state, 'running');
  await machine.kill();
  t.is(machine.state, 'off');
});
