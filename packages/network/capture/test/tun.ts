import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { ioctl } from '@nodecore/sys';
import { output } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

// linux/if_tun.h
const TUNSETIFF = 0x400454ca;
const IFF_TUN = 0x0001;
const IFF_NO_PI = 0x1000;

/** A tun device: what is written to the file comes in on the interface, as a raw IP packet. Goes with the test. */
export async function tunDevice(t: ExecutionContext, name: string): Promise<FileHandle> {
  const file = await open('/dev/net/tun', constants.O_RDWR);
  t.teardown(() => file.close());
  const request = Buffer.alloc(40); // struct ifreq
  request.write(name);
  request.writeUInt16LE(IFF_TUN | IFF_NO_PI, 16);
  await ioctl({ fd: file.fd, path: '/dev/net/tun', name: 'TUNSETIFF' }, TUNSETIFF, request);
  await output(['ip', 'link', 'set', name, 'addrgenmode', 'none', 'up']);
  return file;
}
