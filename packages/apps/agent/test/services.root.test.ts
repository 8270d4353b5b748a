import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import * as pki from '@nodecore/pki';
import { Supervisor } from '@nodecore/supervisor';
import { identityOf, isRunning } from '@nodecore/sys';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { httpPort, clientPort } from '../src/kvstore/addresses.ts';
import { AgentProcess } from './agent-process.ts';
import {
  clientOf,
  configure,
  kvstoreAuthority,
  kvstoreDocument,
  ownAddress,
  untilMember,
} from './kvstore-agent.ts';

/** How often the agent is killed; each time another one starts. */
const kills = process.env['FAULT_CAMPAIGN'] === 'long' ? 20 : 3;

/** What an address answers to a client with or without a certificate; the code of the failure when it does not. */
async function answerOf(
  address: string,
  port: number,
  path: string,
  identity?: pki.Identity,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tls = { ca: kvstoreAuthority.crt, ...(identity && { cert: identity.crt, key: identity.key.bytes }) };
  const call = request({ host: address, port, path, ...tls }, (answer) => void text(answer).then(resolve));
  call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  call.end();
  return await promise;
}

/** What a killed agent leaves ends with the test. */
function endServices(t: ExecutionContext, directory: string): void {
  t.teardown(async () => {
    const services = await Supervisor.open({ directory: join(directory, 'run/supervisor'), tethered: true });
    await services.stop();
    await services[Symbol.asyncDispose]();
  });
}

function withoutNode(lines: string): string {
  return lines.replaceAll(/^\S+: /gmu, '');
}

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('etcd and its log go on however often the agent is killed, and end with an agent that ends', async (t) => {
  t.timeout(240_000);
  const directory = await temporaryDirectory(t);
  endServices(t, directory);
  const address = ownAddress();
  let agent = await AgentProcess.start(t, directory, ['--keep-services']);
  await configure(agent, directory, kvstoreDocument(address));
  let admin = await clientOf(t, [agent]);
  t.is((await admin(['bootstrap'])).code, 0);
  const { pid } = await untilMember(t, agent, ({ phase }) => phase === 'running');
  const identity = identityOf(Number(pid))!;

  const client = await pki.issueNamedClient(kvstoreAuthority, { commonName: 'root' });
  t.regex(await answerOf(address, httpPort, '/health', client), /"health":"true"/u);
  t.regex(await answerOf(address, httpPort, '/metrics', client), /^etcd_server_has_leader 1$/mu);
  t.regex(await answerOf(address, httpPort, '/v3/cluster/member/list', client), /Method Not Allowed/u);
  t.regex(await answerOf(address, httpPort, '/health'), /CERTIFICATE_REQUIRED|ECONNRESET|EPIPE/u);
  t.notRegex(await answerOf(address, clientPort, '/health', client), /health/u, 'gRPC alone');

  const listed = await admin(['service']);
  t.regex(listed.out, / etcd +Running +OK +\S+ ago +process \d+\n/u, listed.error);
  t.regex((await admin(['service', 'etcd', 'stop'])).error, /service "etcd" doesn't support stop operation/u);
  const log = (await admin(['logs', 'etcd'])).out;
  t.regex(log, /"msg":"Running: "/u);

  for (let kill = 0; kill < kills; kill += 1) {
    await agent.kill();
    t.true(isRunning(identity));
    agent = await AgentProcess.start(t, directory, ['--keep-services']);
  }
  await agent.line('etcd goes on');
  const member = await untilMember(t, agent, ({ phase }) => phase === 'running');
  t.is(member['pid'], pid);
  t.true(isRunning(identity));
  admin = await clientOf(t, [agent]);
  t.regex((await admin(['get', 'servicepids', 'etcd'])).out, new RegExp(`etcd .* ${identity.pid} `, 'u'));
  const later = (await admin(['logs', 'etcd'])).out;
  t.true(withoutNode(later).startsWith(withoutNode(log)), 'nothing of it is lost');

  t.is((await admin(['restart', 'etcd'])).code, 0);
  const next = await untilMember(t, agent, (each) => each['phase'] === 'running' && each['pid'] !== pid);
  t.false(isRunning(identity));
  t.is(await agent.stop(), 0);
  t.is(identityOf(Number(next['pid'])), undefined);
});
