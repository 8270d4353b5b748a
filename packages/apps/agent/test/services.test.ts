import { join } from 'node:path';

import type { Client } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import type { LogsRequestInit } from '@nodecore/api/service';
import { Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

/** A node with services, and clients of it. */
async function node(t: ExecutionContext) {
  const directory = join(await temporaryDirectory(t), 'services');
  const supervisor = await Supervisor.open({ directory, tethered: true });
  t.teardown(async () => {
    await supervisor.stop();
    await supervisor[Symbol.asyncDispose]();
  });
  const { insecure, as, lines } = await apiNode(t, { services: () => Promise.resolve(supervisor) });
  const stranger = insecure();
  const configured = async (): Promise<void> => {
    await stranger.applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  };
  const run = async (id: string, script: string, once = true): Promise<void> => {
    const argv = ['sh', '-c', script] as const;
    await supervisor.define({ id, program: { argv, graceMs: 50 }, ...(once && { restart: 'once' }) });
    const isOver = (): boolean => ['Finished', 'Failed'].includes(supervisor.get(id).status.state);
    const isReached = (): boolean => (once ? isOver() : supervisor.get(id).status.state === 'Running');
    for (let next = supervisor.changed.next(); !isReached(); next = supervisor.changed.next()) await next;
  };
  return { supervisor, stranger, as, lines, configured, run };
}

async function logOf(client: Client, request: LogsRequestInit): Promise<string> {
  const pieces = await Array.fromAsync(client.services.logs(request));
  return Buffer.concat(pieces.map(({ data }) => data)).toString();
}

test('services are listed with what happened to them, also before there is a configuration', async (t) => {
  const { stranger, run } = await node(t);
  await run('a', 'echo reason; exit 3');
  const [info] = (await stranger.services.list()).services;
  t.like(info, { id: 'a', state: 'Failed', pid: 0, operations: ['start', 'stop', 'restart'] });
  t.true(info!.health!.unknown);
  t.deepEqual(
    info!.events.map(({ state }) => state),
    ['Preparing', 'Starting', 'Running', 'Failed'],
  );
  t.is(info!.events.at(-1)!.message, 'ended with code 3: reason');
});

test('an operator starts, stops and restarts, a reader does not, and every attempt is in the audit', async (t) => {
  const { supervisor, stranger, as, configured, run, lines } = await node(t);
  await run('a', 'exec sleep 1000', false);
  supervisor.claim('b');
  await t.throwsAsync(stranger.services.stop('a'), { code: 'ERR_API_DENIED' });
  await configured();
  const reader = await as(['os:reader']);
  for (const call of [
    reader.services.stop('a'),
    reader.services.start('a'),
    reader.services.restart({ id: 'a' }),
  ])
    await t.throwsAsync(call, { code: 'ERR_API_DENIED' });
  const { services } = await as(['os:operator']);
  const { pid } = supervisor.get('a').status;
  t.is((await services.restart({ id: 'a' })).response, 'Service "a" restarted');
  for (let next = supervisor.changed.next(); supervisor.get('a').status.pid === undefined;) {
    await next;
    next = supervisor.changed.next();
  }
  t.not(supervisor.get('a').status.pid, pid);
  t.is((await services.stop('a')).response, 'Service "a" stopped');
  t.is(supervisor.get('a').status.pid, undefined);
  t.is((await services.start('a')).response, 'Service "a" started');
  t.is((await services.start('a')).response, 'Service "a" started');
  await t.throwsAsync(services.stop('b'), {
    message: /service "b" doesn't support stop operation via API/u,
  });
  await t.throwsAsync(services.restart({ id: 'x' }), {
    code: 'ERR_API_NOT_FOUND',
    message: /service "x" not defined/u,
  });
  await t.throwsAsync(services.restart({ id: 'a', namespace: 'cri' }), {
    message: /no container runtime on this node/u,
  });
  const audited = lines.filter((line) => line.includes('"audit":true'));
  for (const action of ['service-start', 'service-stop', 'service-restart'])
    t.true(audited.some((line) => line.includes(`"action":"${action}"`) && line.includes('"done"')));
});

test('a log is read from its end, from an offset, and followed; its bytes are the program’s', async (t) => {
  const { supervisor, stranger, run } = await node(t);
  await run('a', `printf 'one\\ntwo\\n\\0\\377three\\n'`);
  t.is(await logOf(stranger, { id: 'a' }), Buffer.from('one\ntwo\n\0\xffthree\n', 'latin1').toString());
  t.is(
    await logOf(stranger, { id: 'a', tailLines: 2 }),
    Buffer.from('two\n\0\xffthree\n', 'latin1').toString(),
  );
  t.is(await logOf(stranger, { id: 'a', tailLines: 0 }), '');
  t.is(
    await logOf(stranger, { id: 'a', fromOffset: 4n, tailLines: 0 }),
    Buffer.from('two\n\0\xffthree\n', 'latin1').toString(),
  );
  await t.throwsAsync(logOf(stranger, { id: 'x' }), { code: 'ERR_API_NOT_FOUND' });
  await t.throwsAsync(logOf(stranger, { id: 'a', namespace: 'container' }), {
    message: /no container runtime/u,
  });
  // It goes on over another life of the service.
  let said = '';
  for await (const { data } of stranger.services.logs({ id: 'a', follow: true, tailLines: 1 })) {
    said += Buffer.from(data).toString('latin1');
    if (said === '\0\xffthree\n') await supervisor.perform('a', 'start');
    if (said.endsWith('one\ntwo\n\0\xffthree\n')) break;
  }
  t.is(said, '\0\xffthree\none\ntwo\n\0\xffthree\n');
});

test('logs of machines are for administrators, whatever the namespace; of containers and machines there are none', async (t) => {
  const { stranger, as, configured, run } = await node(t);
  await run('a', 'echo said');
  const vm = { id: 'a', kind: 'vm' };
  await t.throwsAsync(logOf(stranger, vm), { code: 'ERR_API_DENIED' });
  await configured();
  const reader = await as(['os:reader']);
  for (const namespace of ['', 'system', 'cri']) {
    await t.throwsAsync(logOf(reader, { ...vm, namespace }), { code: 'ERR_API_DENIED' });
    await t.throwsAsync(logOf(reader, { id: 'a', kind: 'container', namespace }), {
      message: /no container runtime/u,
    });
  }
  await t.throwsAsync(logOf(await as(['os:operator']), vm), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(logOf(await as(['os:admin']), vm), { message: /no container runtime/u });
  t.is(await logOf(reader, { id: 'a', kind: 'service', namespace: 'system' }), 'said\n');
});
