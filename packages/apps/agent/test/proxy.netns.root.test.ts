import { connect } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { output, privateNetwork, root, temporaryDirectory, testWith, vethPair } from '@nodecore/testkit';

import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';

const test = testWith(root);
const anywhere = ['--listen', '[::]:50000'];

test('an agent passes calls on to another one over the network, by either family, and to nobody else there', async (t) => {
  await privateNetwork();
  await vethPair('near', 'far');
  const ca = await authority();
  const apart = ['unshare', '--net', '--'];
  await AgentProcess.start(t, await temporaryDirectory(t), anywhere);
  const far = await AgentProcess.start(t, await temporaryDirectory(t), anywhere, apart);
  const there = (...command: string[]): Promise<string> =>
    output(['nsenter', '--target', String(far.pid), '--net', ...command]);
  await output(['ip', 'link', 'set', 'far', 'netns', String(far.pid)]);
  await output(['ip', 'address', 'add', '10.77.0.1/24', 'dev', 'near']);
  await there('ip', 'address', 'add', '10.77.0.2/24', 'dev', 'far');
  await output(['ip', 'address', 'add', 'fd77::1/64', 'dev', 'near', 'nodad']);
  await there('ip', 'address', 'add', 'fd77::2/64', 'dev', 'far', 'nodad');
  await there('ip', 'link', 'set', 'far', 'up');
  for (const endpoint of ['127.0.0.1:50000', '10.77.0.2:50000']) {
    const stranger = connect({ endpoint, insecure: true });
    await stranger.applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
    stranger.close();
  }
  const reader = await pki.issueClient(ca, { roles: ['os:reader'] });
  const client = connect({ endpoint: '127.0.0.1:50000', ca: ca.crt, ...reader });
  t.teardown(() => client.close());
  const interfaces = async (node?: string): Promise<readonly string[]> =>
    (await client.counters.interfaces({ node })).devices.map(({ name }) => name).toSorted();
  t.deepEqual(await interfaces('10.77.0.2'), ['far', 'lo']);
  t.deepEqual(await interfaces('10.77.0.1'), ['lo', 'near']);
  t.deepEqual(await interfaces(), ['lo', 'near']);
  t.deepEqual(await interfaces('fd77::2'), ['far', 'lo']);
  t.truthy(await client.version({ node: 'fd77::2' })); // calls that repeat each other are logged once
  // Whoever comes by IPv4 has the address that rules and lists know.
  for (const peer of ['10.77.0.1:', '[fd77::1]:'])
    await far.lineWith((line) => 'via' in line && String(line['peer']).startsWith(peer));
  t.false(far.lines.some((line) => line.includes('ffff:')));
  for (const node of ['127.0.0.2', '169.254.169.254', '0.0.0.0', '224.0.0.1'])
    await t.throwsAsync(client.version({ node }), { code: 'ERR_API_INVALID' }, node);
  await far.kill();
  await t.throwsAsync(client.version({ node: '10.77.0.2' }), { code: 'ERR_API_UNREACHABLE' });
  t.truthy(await client.version());
});
