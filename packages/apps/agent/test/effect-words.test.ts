import { parse } from '@nodecore/config';
import test from 'ava';

import { effectWords } from '../src/configuration/effect-words.ts';
import { authority, rootDocument } from './documents.ts';

const ca = await authority();

const document = (kind: string, body: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${body}`;

test('what changed documents take is said, the worst first', (t) => {
  using after = parse(
    [
      document('SysctlConfig', 'params: {vm.swappiness: 1}\n'),
      document('EtcFileConfig', 'name: motd\ncontents: a\n'),
      document('EnvironmentConfig', 'variables: {a: b}\n'),
    ].join('---\n'),
  );
  t.is(
    effectWords(undefined, after),
    ' When a service starts next: EnvironmentConfig. At once: SysctlConfig, EtcFileConfig/motd.',
  );
  t.is(effectWords(after, after), '');
});

test('of a root that was there before each field is named with what it takes, of a new one the root alone', (t) => {
  using before = parse(rootDocument(ca));
  using after = parse(
    `${rootDocument(ca)}  certSANs: [a.example]\n  features: {imageCache: {localEnabled: true}}\ndebug: true\n`,
  );
  t.is(
    effectWords(before, after),
    ' When the machine boots again: machine.features.imageCache. At once: machine.certSANs. Nothing acts on: debug.',
  );
  t.is(effectWords(undefined, before), ' When a service starts next: machine.');
});
