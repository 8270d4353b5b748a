import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { recoveryKey } from '@nodecore/luks';
import { root, searchMemory, testWith } from '@nodecore/testkit';

import { formsOf } from '../../../../hw-tests/test/secret-forms.ts';

const program = fileURLToPath(new URL('key-messages-program.ts', import.meta.url));
const test = testWith(root);

test('a recovery key that was stored is nowhere in the memory of the agent', async (t) => {
  const ca = await pki.createCA('test');
  const server = await pki.issueServer(ca, { names: ['127.0.0.1'] });
  const admin = await pki.issueClient(ca, { roles: ['os:admin'] });
  const child = spawn(process.execPath, ['--conditions=source', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin.end(JSON.stringify({ crt: server.crt, key: server.key.bytes.toString('base64'), ca: ca.crt }));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const client = connect({
    endpoint: `127.0.0.1:${port.toString().trim()}`,
    ca: ca.crt,
    crt: admin.crt,
    key: admin.key,
  });
  t.teardown(() => client.close());
  using made = recoveryKey.generate();
  const { key } = made;
  await client.addRecoveryKey({ volume: 'u-safe', key: key.bytes });
  const needles = [...formsOf(key.bytes)].map(([name, bytes]) => ({ name, bytes }));
  const part = { name: 'a part of it', bytes: key.bytes.subarray(20, 52) };
  const kept = { name: 'the authority', bytes: Buffer.from(ca.crt).subarray(100, 132) };
  t.true(searchMemory(child.pid ?? 0, [kept]).length > 0, 'the search finds what is there');
  t.deepEqual(searchMemory(child.pid ?? 0, [...needles, part]), []);
});
