import test from 'ava';

import { parse } from '@nodecore/config';

const text = `# of the team
apiVersion: v1alpha1
kind: TimeSyncConfig
ntp:
  servers:
    - a.example
    - b.example
---
apiVersion: v1alpha1
kind: EtcFileConfig
name: motd
contents: hello
---
apiVersion: v1alpha1
kind: EtcFileConfig
name: issue
contents: hello
`;

test('a configuration has the documents of a kind, in the order of the text', (t) => {
  using configuration = parse(text);
  t.deepEqual(
    configuration.all('EtcFileConfig').map(({ name }) => name),
    ['motd', 'issue'],
  );
  t.deepEqual(configuration.get('TimeSyncConfig')?.ntp?.servers, ['a.example', 'b.example']);
  t.is(configuration.get('HostnameConfig'), undefined);
  t.deepEqual(configuration.all('KernelModuleConfig'), []);
});

test('what holds is what the document says, or what is left out of it', (t) => {
  using configuration = parse(text);
  t.like(configuration.effective('TimeSyncConfig'), { enabled: true, bootTimeout: { ms: 0 } });
  using without = parse('apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 1\n');
  t.like(without.effective('TimeSyncConfig'), { enabled: true, bootTimeout: { ms: 0 } });
  t.is(without.effective('WatchdogTimerConfig'), undefined);
  t.is(without.effective('HostnameConfig'), undefined);
});

test('each value says from which line of which document it is', (t) => {
  using configuration = parse(text);
  const document = 'TimeSyncConfig';
  t.deepEqual(configuration.origin(document, 'ntp', 'servers', 1), {
    from: 'document',
    document,
    line: 7,
    column: 7,
  });
  t.deepEqual(configuration.origin(document), { from: 'document', document, line: 2, column: 1 });
  t.deepEqual(configuration.origin(document, 'enabled'), { from: 'default' });
  t.deepEqual(configuration.origin('HostnameConfig', 'auto'), { from: 'default' });
  t.deepEqual(configuration.origin('EtcFileConfig/issue', 'contents'), {
    from: 'document',
    document: 'EtcFileConfig/issue',
    line: 17,
    column: 11,
  });
});
