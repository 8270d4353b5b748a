import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parse as parseYaml } from 'yaml';

import { jsonSchema, parse, trimIntervalMs } from '@nodecore/config';
import { parseDuration } from '../src/duration.ts';
import { refused, unmark, warned } from './fixtures/marked.ts';
import { codesOf, problemsOf, systemVolume, userVolume } from './fixtures/problems.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
const global = (fields: string): string => `apiVersion: v1alpha1\nkind: FilesystemTrimConfig\n${fields}\n`;

/** The interval of the user volume of a text. */
function intervalOf(text: string): number | undefined {
  using configuration = parse(text);
  return trimIntervalMs(
    configuration.all('UserVolumeConfig')[0]?.trim,
    configuration.get('FilesystemTrimConfig'),
  );
}

const table: readonly (readonly [document: string | undefined, block: string, hours: number | undefined])[] =
  [
    [undefined, '', undefined],
    ['interval: 168h', '', 168],
    ['interval: 168h', 'trim: {}', 168],
    ['interval: 168h', 'trim: {enabled: false}', undefined],
    ['interval: 168h', 'trim: {enabled: false, interval: 24h}', undefined],
    ['interval: 168h', 'trim: {interval: 24h0m0s}', 24],
    ['interval: 168h', 'trim: {interval: 0s}', 168],
    ['interval: 36h', 'trim: {enabled: true}', 36],
    [undefined, 'trim: {interval: 24h}', 24],
    [undefined, 'trim: {enabled: true, interval: 24h}', 24],
    [undefined, 'trim: {enabled: true}', 168],
    [undefined, 'trim: {}', undefined],
    ['interval: 0s', '', undefined],
    ['interval: "0"', 'trim: {enabled: true}', 168],
    ['', '', 168],
  ];

for (const [document, block, hours] of table)
  test(`"${document ?? 'no document'}" and "${block}" mean ${hours ?? 'no'} hours`, (t) => {
    const text = [userVolume(block), ...(document === undefined ? [] : [global(document)])].join('---\n');
    t.is(intervalOf(text), hours === undefined ? undefined : hours * hourMs);
  });

test('a system volume has a trim block as well', (t) => {
  for (const name of ['STATE', 'EPHEMERAL'] as const) {
    using configuration = parse(systemVolume(name, 'trim: {interval: 48h}'));
    t.deepEqual(configuration.systemVolume(name).trim, { intervalMs: 48 * hourMs });
  }
  using without = parse(systemVolume('STATE'));
  t.is(without.systemVolume('EPHEMERAL').trim, undefined);
});

const week = 'trim.interval_missing';
const warnings: Readonly<Record<string, readonly [code: string, marked: string]>> = {
  'a document without an interval': [week, `§${global('')}`],
  'a volume that asks and is told no interval': [week, userVolume('trim: {enabled: §true}')],
  'a volume that asks while all are off': [
    week,
    `${userVolume('trim: {enabled: §true}')}---\n${global('interval: 0s')}`,
  ],
  'an interval below an hour': ['trim.interval_short', global('interval: §30m')],
  'an interval of 0 in a volume': [
    'trim.interval_zero',
    `${userVolume('trim: {interval: §0s}')}---\n${global('interval: 1h')}`,
  ],
  'trims of a volume whose encryption passes none on': [
    'trim.no_discards',
    userVolume('encryption: {provider: luks2, keys: [{nodeID: {}}]}\ntrim: §{interval: 24h}'),
  ],
};

for (const [what, [code, marked]] of Object.entries(warnings))
  test(`warned of where it is: ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(warned(text), [{ code, line, column }]);
  });

test('nothing is warned of where everything is said', (t) => {
  const open = 'encryption: {provider: luks2, allowDiscards: true, keys: [{nodeID: {}}]}';
  const closed = 'encryption: {provider: luks2, keys: [{nodeID: {}}]}\ntrim: {enabled: false}';
  for (const fields of [`${open}\ntrim: {enabled: true}`, closed])
    t.deepEqual(warned(`${userVolume(fields)}---\n${global('interval: 168h')}`), []);
});

const wrong: Readonly<Record<string, readonly [code: string, marked: string]>> = {
  'a negative interval': ['duration.negative', global('interval: §-1h')],
  'days, which Go does not have': ['duration.invalid', userVolume('trim: {interval: §7d}')],
  'a number without a unit': ['duration.invalid', global('interval: §"168"')],
  'more than Go can count': ['duration.too_long', global('interval: §9999999h')],
  'an interval that is no interval': ['trim.interval_short', global('interval: §5s')],
  'a number': ['wrong_type', global('interval: §168')],
  'a flag that is a text': ['wrong_type', userVolume('trim: {enabled: §"yes"}')],
  'a field that is not there': ['unknown_field', userVolume('trim: {§every: 24h}')],
  'a name': ['unknown_field', global('§name: all')],
  'a list of blocks': ['wrong_type', userVolume('trim: §[]')],
};

for (const [what, [code, marked]] of Object.entries(wrong))
  test(`refused where it is: ${what}`, (t) => {
    const { text, line, column } = unmark(marked);
    t.deepEqual(refused(text), [{ code, line, column }]);
  });

test('there is one document of the kind', (t) => {
  t.deepEqual(codesOf(`${global('interval: 1h')}---\n${global('interval: 2h')}`), ['document.duplicate']);
  using configuration = parse(global('interval: 168h'));
  t.is(configuration.documents[0]?.identity, 'FilesystemTrimConfig');
  t.deepEqual(configuration.get('FilesystemTrimConfig'), { intervalMs: weekMs });
});

const durations: Readonly<Record<string, ReturnType<typeof parseDuration>>> = {
  '168h0m0s': 604_800_000_000_000n,
  '1h30m': 5_400_000_000_000n,
  '1.5h': 5_400_000_000_000n,
  '.5s': 500_000_000n,
  '1.s': 1_000_000_000n,
  '500ms': 500_000_000n,
  '1us2µs3μs': 6_000n,
  '+7ns': 7n,
  '0.0000000019s': 1n,
  '0': 0n,
  '-0s': 0n,
  '2562047h47m16.854775807s': 9_223_372_036_854_775_807n,
  '2562047h47m16.854775808s': 'too_long',
  '-1s': 'negative',
  '': 'invalid',
  h: 'invalid',
  '.h': 'invalid',
  '1': 'invalid',
  '1h ': 'invalid',
  '1 h': 'invalid',
  '1H': 'invalid',
  '1w': 'invalid',
  '1h30': 'invalid',
  '--1h': 'invalid',
  '1e3s': 'invalid',
  ['1s'.repeat(40)]: 'invalid',
};

for (const [text, expected] of Object.entries(durations))
  test(`duration "${text}"`, (t) => {
    t.is(parseDuration(text), expected);
  });

test('an editor accepts the intervals that the parser accepts', (t) => {
  const accepts = new Ajv2020({ strict: false }).compile(jsonSchema('FilesystemTrimConfig'));
  for (const [text, expected] of Object.entries(durations)) {
    if (expected === 'too_long' || text.length > 64 || text === '-0s') continue; // beyond what a pattern says
    t.is(accepts(parseYaml(global(`interval: "${text}"`))), typeof expected === 'bigint', text);
  }
  t.is(problemsOf(global('interval: 24h')).length, 0);
});
