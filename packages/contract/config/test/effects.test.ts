import test from 'ava';

import { changedDocuments, parse } from '@nodecore/config';

const document = (kind: string, body: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${body}`;
const sysctl = (value: number): string => document('SysctlConfig', `params: {vm.swappiness: ${value}}\n`);
const environment = document('EnvironmentConfig', 'variables: {http_proxy: "http://u:secret@proxy"}\n');
const motd = document('EtcFileConfig', 'name: motd\ncontents: a\n');

test('what is new, changed or gone is named with what it takes; the rest is not', (t) => {
  using before = parse(
    [sysctl(1), motd, document('StaticHostConfig', 'name: 10.0.0.1\nhostnames: [a]\n')].join('---\n'),
  );
  using after = parse(['# said again\n', motd, '---\n', sysctl(2), '---\n', environment].join(''));
  t.deepEqual(changedDocuments(before, after), [
    { identity: 'SysctlConfig', effect: 'live' },
    { identity: 'EnvironmentConfig', effect: 'service' },
    { identity: 'StaticHostConfig/10.0.0.1', effect: 'live' },
  ]);
  t.deepEqual(changedDocuments(after, after), []);
  t.is(changedDocuments(undefined, after).length, 3);
  t.notRegex(JSON.stringify(changedDocuments(before, after)), /secret/);
});
