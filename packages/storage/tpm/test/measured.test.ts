import { readFileSync } from 'node:fs';

import test from 'ava';

import { measuredFrom } from '../src/measured.ts';
import { eventLog, measuredFromJson, measuredToJson } from '../src/index.ts';

const log = eventLog.parse(readFileSync(new URL('fixtures/secure-boot-on.log', import.meta.url)));

test('what was measured survives its JSON', (t) => {
  const values = new Map([...eventLog.replay(log)].filter(([pcr]) => pcr === 7));
  const measured = measuredFrom(values, log);
  t.is(measured.events.length, 6);
  const json = JSON.stringify(measuredToJson(measured));
  t.true(json.length < 500);
  t.deepEqual(measuredFromJson(JSON.parse(json)), measured);
});

test('it stays small: the longest lists of events are left out, the values never', (t) => {
  const values = eventLog.replay(log);
  const many = Array.from({ length: 40 }, (_, n) => ({
    pcr: 4,
    type: 'EFI_BOOT_SERVICES_APPLICATION',
    digest: '0011223344556677',
    what: `\\EFI\\image-${n}.efi`,
  }));
  const { events } = measuredFrom(values, log);
  const json = measuredToJson({ values, events: [...events.filter(({ pcr }) => pcr !== 4), ...many] });
  t.true(JSON.stringify(json).length <= 1536);
  t.is(Object.keys(json.v).length, values.size);
  t.false('4' in json.e);
  t.true('7' in json.e);
});

test('events that do not account for a register are not kept', (t) => {
  const values = new Map(eventLog.replay(log));
  values.set(7, new Uint8Array(32).fill(1));
  const pcrs = new Set(measuredFrom(values, log).events.map(({ pcr }) => pcr));
  t.false(pcrs.has(7));
  t.true(pcrs.has(4));
});

test('damaged JSON explains nothing, and harms nothing', (t) => {
  for (const json of [
    undefined,
    null,
    [],
    'text',
    {},
    { v: {}, e: [] },
    { v: { 24: 'AA' }, e: {} },
    { v: { 7: 'AA' }, e: {} },
    { v: {}, e: { 7: [['80000001', 'zz', 'db']] } },
    { v: {}, e: { 7: [['80000001', '00', 'db\u001b[2J']] } },
    { v: {}, e: { 7: [['80000001', '00', 'x'.repeat(41)]] } },
  ]) {
    t.is(measuredFromJson(json), undefined, JSON.stringify(json));
  }
});
