import { parse } from '@nodecore/config';
import test from 'ava';

import { effectWords } from '../src/configuration/effect-words.ts';

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
