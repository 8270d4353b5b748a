import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect, decodeSpec } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { certificateStatuses } from '../src/certificates/definitions.ts';
import { signerStatuses } from '../src/signing/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';
import { token, workerText } from './signing-node.ts';

const ca = await authority();
const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
const test = testWith(root);

function admin(t: ExecutionContext, agent: AgentProcess): Client {
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => client.close());
  return client;
}

async function configure(t: ExecutionContext, agent: AgentProcess, text: string): Promise<void> {
  const client = connect({ endpoint: agent.endpoint, insecure: true });
  t.teardown(() => client.close());
  await client.applyConfiguration({ data: Buffer.from(text), mode: ApplyMode.AUTO });
}

/** The first status of this type that is as it should be. */
async function status<Status>(
  client: Client,
  type: string,
  is: (status: Status) => boolean,
): Promise<Status> {
  for await (const { events } of client.watch({ type }))
    for (const { resource } of events) {
      const found = resource === undefined ? undefined : (decodeSpec(resource.spec) as Status);
      if (found !== undefined && is(found)) return found;
    }
  throw new Error('the watch ended');
}

type Signer = { readonly listening: boolean; readonly port: number };
type Certificate = {
  readonly phase: string;
  readonly signedBy: string;
  readonly names: readonly string[];
  readonly reason: string;
};

test('a worker without a key answers when a control plane has signed for it, and goes on without one', async (t) => {
  const directories = { plane: await temporaryDirectory(t), worker: await temporaryDirectory(t) };
  const plane = await AgentProcess.start(t, directories.plane, ['--signer-port', '0']);
  await configure(t, plane, rootDocument(ca).replace('  type:', `  token: ${token}\n  type:`));
  const { port } = await status<Signer>(admin(t, plane), signerStatuses.type, ({ listening }) => listening);
  await plane.kill();

  // The worker comes first, and waits.
  const flags = ['--signer-port', String(port)];
  const worker = await AgentProcess.start(t, directories.worker, flags);
  const document = JSON.parse(workerText(ca)) as { readonly machine: object };
  // All addresses of this machine are the control plane's: it is one machine.
  const text = JSON.stringify({
    ...document,
    machine: { ...document.machine, certSANs: ['worker.example'] },
  });
  await configure(t, worker, text);
  const error = await t.throwsAsync(admin(t, worker).version());
  t.regex(error?.message ?? '', /certificate/u, 'it shows a throw-away certificate');

  const again = await AgentProcess.start(t, directories.plane, flags);
  const signed = await worker.line('a control plane has signed the certificate of the node');
  t.deepEqual(signed['host'], '127.0.0.1');
  const seen = await status<Certificate>(
    admin(t, worker),
    certificateStatuses.type,
    ({ phase }) => phase === 'ready',
  );
  t.like(seen, { signedBy: 'controlPlane', reason: '' });
  t.true(seen.names.includes('worker.example'));

  const [authorityFile, kept] = [
    join(directories.plane, 'ca.pem'),
    join(directories.worker, 'state', 'certificate.pem'),
  ];
  await writeFile(authorityFile, ca.crt);
  const judge = [
    'verify',
    '-CAfile',
    authorityFile,
    '-purpose',
    'sslserver',
    '-verify_hostname',
    'worker.example',
    kept,
  ];
  t.is(await output(['openssl', ...judge]), `${kept}: OK\n`);

  // No control plane: what is on STATE is shown, also after the node was killed.
  await again.kill();
  await worker.kill();
  const alone = await AgentProcess.start(t, directories.worker, flags);
  const waiting = await status<Certificate>(
    admin(t, alone),
    certificateStatuses.type,
    ({ reason }) => reason !== '',
  );
  t.is(waiting.phase, 'ready');
  t.regex(waiting.reason, /^control plane 127\.0\.0\.1:\d+: /u);
  for (const { lines } of [plane, again, worker, alone]) {
    const said = lines.join('\n');
    t.false(said.includes(token) || said.includes('PRIVATE KEY'), 'no secret is in the log');
  }
});
