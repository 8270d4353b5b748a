import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { LeaseLog } from '../src/keeper/lease-log.ts';

const [mac, address] = ['02:11:22:33:44:55', '10.5.0.2'];

test('who got an address is known by the log of the server, from when it was forgotten', async (t) => {
  const path = join(await temporaryDirectory(t), 'dnsmasq.log');
  const leases = new LeaseLog(path);
  await leases.read(); // there is no log yet
  await writeFile(path, `dnsmasq-dhcp: 7 DHCPDISCOVER(br0) ${mac} \ndnsmasq-dhcp: 7 DHCPA`);
  await leases.read();
  t.false(leases.has([mac, address]), 'who asks has none yet');
  await appendFile(path, `CK(br0) ${address} ${mac} example-worker-1\n`);
  await leases.read();
  t.true(leases.has([mac, undefined]));
  t.false(leases.has(['02:11:22:33:44:56', undefined]));
  await appendFile(path, `dnsmasq-dhcp: 8 DHCPACK(br0) ${address} ${mac} example-worker-1\n`);
  await leases.forget([mac, address]);
  t.false(leases.has([mac, address]), 'all until then is of before');
  await rename(path, `${path}.1`); // the server was started again
  await writeFile(path, `dnsmasq-dhcp: 9 DHCPREPLY(br0) fd00:5::2 00:01:00:01 example-worker-1\n`);
  await leases.read();
  t.true(leases.has([mac, address, 'fd00:5::2']));
});
