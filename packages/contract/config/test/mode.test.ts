import test from 'ava';

import { checkMode, parse } from '@nodecore/config';
import { caCertificate, caKey } from './fixtures/authority.ts';
import { systemVolume, userVolume } from './fixtures/problems.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const ca = `{crt: ${base64(caCertificate)}, key: ${base64(caKey)}}`;
const root = `version: v1alpha1\nmachine: {type: controlplane, ca: ${ca}}\n`;
const codes = (found: readonly { code: string }[]): string[] => found.map(({ code }) => code);

test('a complete configuration has nothing to say on metal and in a cloud', (t) => {
  using configuration = parse(`${root}---\n${userVolume('')}`);
  for (const mode of ['metal', 'cloud'] as const) {
    t.deepEqual(checkMode(configuration, mode, { strict: true }), { problems: [], warnings: [] });
  }
});

test('a container takes no volumes, each is named', (t) => {
  using configuration = parse(`${root}---\n${userVolume('')}---\n${systemVolume('EPHEMERAL')}`);
  const { problems } = checkMode(configuration, 'container', { file: 'a.yaml' });
  t.deepEqual(codes(problems), ['mode.container', 'mode.container']);
  t.like(problems[0], { document: 'UserVolumeConfig/data', line: 4, column: 1, file: 'a.yaml' });
});

test('a partial configuration is a warning, and a problem when strict', (t) => {
  using configuration = parse(userVolume(''));
  t.deepEqual(codes(checkMode(configuration, 'metal').warnings), ['machine.missing']);
  t.deepEqual(codes(checkMode(configuration, 'metal', { strict: true }).problems), ['machine.missing']);
});

test('an expired authority is a warning', (t) => {
  using configuration = parse(root, { nowMs: Date.parse('2200-01-01') });
  t.deepEqual(codes(configuration.warnings), ['certificate.expired']);
  t.is(configuration.warnings[0]?.path, 'machine.ca.crt');
  t.deepEqual(codes(checkMode(configuration, 'metal', { strict: true }).problems), ['certificate.expired']);
});
