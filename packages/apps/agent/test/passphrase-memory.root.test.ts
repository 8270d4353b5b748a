import { connect } from '@nodecore/api';
import { root, searchMemory, temporaryDirectory, testWith } from '@nodecore/testkit';

import { formsOf } from '../../../../hw-tests/test/secret-forms.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const test = testWith(root);
const passphrase = 'a-passphrase-that-nobody-else-would-think-of';

test('the secrets of a configuration are in the memory for keys and nowhere else, also after a restart', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const ca = await authority();
  const key = ca.key.bytes.toString('base64').slice(40, 120);
  const needles = [
    ...[...formsOf(Buffer.from(passphrase))].map(([name, bytes]) => ({ name, bytes })),
    { name: 'key of the authority', bytes: Buffer.from(key) },
    { name: 'key of the authority, in UTF-16', bytes: Buffer.from(key, 'utf16le') },
  ];
  const found = async (agent: AgentProcess): Promise<readonly string[]> => {
    await agent.line('texts overwritten');
    t.true(
      searchMemory(agent.pid, [{ name: 'in the arena', bytes: Buffer.from(passphrase) }]).length > 0,
      'the search finds what is kept where keys belong',
    );
    return searchMemory(agent.pid, needles, 'wf').map(({ name, mapping }) => `${name} in ${mapping}`);
  };

  const first = await AgentProcess.start(t, directory, ['--log-level', 'debug']);
  const client = connect({ endpoint: first.endpoint, insecure: true });
  t.teardown(() => client.close());
  const text = rootDocument(ca) + volumeDocument({ name: 'data', match: 'disk.size == 1u', passphrase });
  await client.applyConfiguration({ data: Buffer.from(text) });
  t.deepEqual(await found(first), []);
  t.is(await first.stop(), 0);

  const second = await AgentProcess.start(t, directory, ['--log-level', 'debug']);
  t.deepEqual(await found(second), []);
  t.is(await second.stop(), 0);
});
