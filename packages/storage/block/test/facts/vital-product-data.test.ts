import test from 'ava';

import { unitSerialNumber, worldWideName } from '../../src/facts/vital-product-data.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Page 0x83 around designators. */
const page = (body: string): Buffer =>
  hex(`00 83 00 ${hex(body).byteLength.toString(16).padStart(2, '0')} ${body}`);

test('the serial number is the payload of page 0x80 without padding', (t) => {
  t.is(unitSerialNumber(hex('00 80 00 08 20 20 53 45 52 31 00 00')), 'SER1');
  t.is(unitSerialNumber(hex('00 83 00 02 41 42')), '');
  t.is(unitSerialNumber(hex('00 80')), '');
  t.is(unitSerialNumber(undefined), '');
});

test('the world-wide name is the best designator of the logical unit', (t) => {
  const t10 = '02 01 00 06 51 45 4d 55 20 31';
  const portNaa = '61 93 00 08 50 00 00 00 00 00 00 01';
  const unitNaa = '01 03 00 08 50 00 c5 00 a1 b2 c3 d4';
  t.is(worldWideName(page(`${t10} ${portNaa} ${unitNaa}`)), 'naa.5000c500a1b2c3d4');
  t.is(worldWideName(page(`${t10} ${portNaa}`)), 't10.QEMU 1');
  t.is(worldWideName(page('')), '');
  t.is(worldWideName(undefined), '');
});

test('a page that was cut short does not throw', (t) => {
  const whole = hex('00 83 00 40 01 03 00 08 50 00 c5');
  for (let size = 0; size <= whole.byteLength; size += 1) {
    t.notThrows(() => [worldWideName(whole.subarray(0, size)), unitSerialNumber(whole.subarray(0, size))]);
  }
});
