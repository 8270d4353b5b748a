import test from 'ava';

import { compileLinkSelector, type SelectableLink } from '@nodecore/selector';

const card: SelectableLink = {
  name: 'enp0s2',
  index: 2,
  type: 'ether',
  kind: '',
  slaveKind: '',
  hardwareAddr: Buffer.from('525400000001', 'hex'),
  permanentAddr: Buffer.from('52540000000a', 'hex'),
  mtu: 1500,
  operationalState: 'up',
  alias: '',
  altNames: ['ens2'],
  busPath: '0000:00:02.0',
  pciID: '1af4:1041',
  driver: 'virtio_net',
  driverVersion: '1.0.0',
  firmwareVersion: '',
  product: '',
  productID: '0x1041',
  vendor: '',
  vendorID: '0x1af4',
  linkState: true,
  speedMbit: 1000,
  port: 'Other',
  duplex: 'Full',
};

const matches = (text: string): unknown => compileLinkSelector(text).matches({ link: card });

test('a selector of interfaces reads every fact under its name', (t) => {
  for (const text of [
    'link.name == "enp0s2" && link.index == 2u && link.type == "ether" && link.mtu < 9000u',
    'mac(link.permanent_addr) == "52:54:00:00:00:0a" && mac(link.hardware_addr) != mac(link.permanent_addr)',
    'link.permanent_addr.size() == 6 && link.kind + link.slave_kind + link.alias == ""',
    'glob("0000:00:*", link.bus_path) && link.driver == "virtio_net" && "ens2" in link.alt_names',
    'link.pciid == "1af4:1041" && link.vendor_id == "0x1af4" && link.product_id == "0x1041"',
    'link.link_state && link.speed_mbit >= 1000u && link.duplex == "Full" && link.port == "Other"',
    'link.operational_state == "up" && link.driver_version == "1.0.0" && link.firmware_version == ""',
    'link.vendor == "" && link.product == ""',
  ])
    t.deepEqual(matches(text), { matched: true }, text);
  t.deepEqual(matches('link.driver == "e1000e"'), { matched: false });
  t.deepEqual(matches('mac(b"") == ""'), { matched: true });
});

test('a selector of interfaces knows no disk and no other field', (t) => {
  for (const text of ['disk.size > 1u', 'link.speed == 1u', 'mac(link.driver) == ""', 'link.mtu'])
    t.throws(() => compileLinkSelector(text), { code: 'ERR_SELECTOR_TYPE' }, text);
});
