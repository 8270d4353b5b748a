import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ApiError, connect, decodeSpec, Osconfig } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { osctl } from '../../osctl/test/command-line.ts';
import { clientLoop } from '../../osctl/test/rotating-cluster.ts';
import { certificateStatuses } from '../src/certificates/definitions.ts';
import { signerStatuses } from '../src/signing/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';
import { token, workerText } from './signing-node.ts';

const test = testWith(root);
const ca = await authority();
const admin = await pki.issueClient(ca, { roles: ['os:admin'] });

type Node = { readonly agent: AgentProcess; readonly directory: string };

async function start(t: ExecutionContext, signerPort: number, text: string): Promise<Node> {
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory, ['--signer-port', String(signerPort)]);
  await using stranger = connect({ endpoint: agent.endpoint, insecure: true });
  await stranger.applyConfiguration({ data: Buffer.from(text), mode: ApplyMode.AUTO });
  return { agent, directory };
}

/** The first status of this type that is as it should be. */
async function status<Status>(
  { agent }: Node,
  type: string,
  isRight: (status: Status) => boolean,
): Promise<Status> {
  await using client = connect({ endpoint: agent.endpoint, ca: ca.crt, ...admin });
  for await (const { events } of client.watch({ type }))
    for (const { resource } of events) {
      const found = resource === undefined ? undefined : (decodeSpec(resource.spec) as Status);
      if (found !== undefined && isRight(found)) return found;
    }
  throw new Error('the watch ended');
}

test('the authority of three agents is replaced while a client goes on, and the former certificate opens nothing then', async (t) => {
  const plane = rootDocument(ca).replace('  type:', `  token: ${token}\n  type:`);
  const first = await start(t, 0, plane);
  const { port } = await status<{ readonly listening: boolean; readonly port: number }>(
    first,
    signerStatuses.type,
    ({ listening }) => listening,
  );
  // All addresses of this machine are the control plane's: it is one machine.
  const document = JSON.parse(workerText(ca)) as { readonly machine: object };
  const text = { ...document, machine: { ...document.machine, certSANs: ['worker.example'] } };
  const [second, worker] = await Promise.all([start(t, 0, plane), start(t, port, JSON.stringify(text))]);
  await worker.agent.line('a control plane has signed the certificate of the node');
  await status<{ readonly phase: string }>(
    worker,
    certificateStatuses.type,
    ({ phase }) => phase === 'ready',
  );

  const nodes = [first, second, worker];
  const endpoints = nodes.map(({ agent }) => agent.endpoint);
  const path = join(worker.directory, 'osconfig');
  const config = Osconfig.empty(path);
  config.set('test', { endpoints, ca: ca.crt, ...admin });
  config.use('test');
  await writeFile(path, config.encode());
  const run = (args: readonly string[]) => osctl(args, { env: { OSCONFIG: path } });
  const forgotten = await run(['rotate-ca', '--control-plane-nodes', endpoints.slice(0, 2).join()]);
  t.is(forgotten.code, 1);
  t.regex(forgotten.error, /not named: .*worker\.example.* --without-nodes /u);
  {
    await using loop = clientLoop({ osctl: run, endpoints });
    const { code, error } = await run(['rotate-ca', '--dry-run=false', '--timeout', '60s']);
    t.is(code, 0, error);
    await loop.turn();
    t.deepEqual(loop.failures, []);
  }
  const { ca: next = '', crt = '', key } = Osconfig.parse(await readFile(path), path).context('test');
  using secret = key;
  const shown = { crt, key: secret?.bytes ?? Buffer.alloc(0) };
  t.not(next, ca.crt);
  const authorityFile = join(worker.directory, 'ca.pem');
  await writeFile(authorityFile, next);
  const kept = join(worker.directory, 'state', 'certificate.pem');
  const judge = ['openssl', 'verify', '-CAfile', authorityFile, '-purpose', 'sslserver', kept] as const;
  t.is(await output(judge), `${kept}: OK\n`);
  for (const endpoint of endpoints) {
    await using former = connect({ endpoint, ca: next, ...admin });
    const error = await t.throwsAsync<ApiError>(former.version(), { instanceOf: ApiError });
    // It hangs up; whether the kernel tells of that as a reset is chance.
    t.true(error.fault === 'client-refused' || error.fault === 'lost', error.message);
    await using present = connect({ endpoint, ca: next, ...shown });
    t.truthy(await present.version());
  }
  for (const { agent } of nodes) {
    const said = agent.lines.join('\n');
    t.false(said.includes('PRIVATE KEY') || said.includes('LS0tLS1CRUdJTiBQ'), 'no key is in the log');
  }
});
