import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { machineRuns, runningKeeper, showCluster } from '@nodecore/clusters';
import { killExactly } from '@nodecore/sys';
import { root, testWith } from '@nodecore/testkit';

import { checkout } from '../src/paths.ts';
import { freePort } from './agent-node.ts';
import { nodeCommands } from './node-commands.ts';

const documents = fileURLToPath(new URL('fixtures/small-node.yaml', import.meta.url));

/** The program of the process that a debugger would attach to there. */
async function inspected(port: string): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const targets = (await answer.json()) as readonly { readonly url: string }[];
  return targets.map(({ url }) => fileURLToPath(url));
}

/** Files of this computer that a debugger is shown in place of the only script of the agent. */
async function sourcesOf(port: string): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as {
      readonly method?: string;
      readonly params?: { readonly url: string; readonly sourceMapURL: string };
    };
    if (method === 'Debugger.scriptParsed' && params?.url === 'file:///usr/lib/nodeos/agent.cjs')
      resolve(params.sourceMapURL);
  });
  socket.addEventListener('open', () => socket.send('{"id":1,"method":"Debugger.enable"}'));
  const map = await promise;
  socket.close();
  const { sources } = JSON.parse(readFileSync(new URL(map), 'utf8')) as {
    readonly sources: readonly string[];
  };
  return sources.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
}

testWith()('npm start makes a node that osctl reaches at once, and npm stop leaves its disks', async (t) => {
  t.timeout(900_000);
  const node = await nodeCommands(t);
  const port = String(await freePort());
  const first = await node.start('--port', port, '--config', documents);
  t.is(first.code, 0, first.stdout + first.stderr);
  t.regex(first.stdout, /volumes: all 3 ready/);
  t.is(statSync(join(node.home, '.os', 'config')).mode & 0o777, 0o600);
  t.regex((await node.osctl('get', 'volumestatus', 'u-small')).stdout, /ready/);
  const uuid = ['get', 'volumestatus', 'u-small', '-o', 'jsonpath={.spec.uuid}'] as const;
  const made = (await node.osctl(...uuid)).stdout;
  t.regex(first.stdout, /kvstore: bootstrapped/);
  const member = ['kvstore', 'status', '-o', 'jsonpath={.member}'] as const;
  const status = await node.osctl(...member);
  t.is(status.code, 0, status.stderr);
  t.regex(status.stdout, /[0-9a-f]{16}/);

  const again = await node.start('--port', port, '--config', documents);
  t.is(again.code, 0, again.stderr);
  t.regex(again.stdout, /virtual-node runs already/);
  t.regex(again.stdout, /it has one/);
  t.regex(again.stdout, /kvstore: its member runs/);

  const keeper = await runningKeeper(node.cluster);
  if (keeper !== undefined) killExactly(keeper);
  const found = await node.start('--port', port);
  t.regex(found.stdout, /virtual-node runs already/, 'without its keeper it runs on, and is found');
  t.like(await showCluster(node.cluster), { kept: true, ready: true, phase: 'running' });

  t.is((await node.stop()).code, 0);
  t.false(await machineRuns(node.cluster));
  t.is(await runningKeeper(node.cluster), undefined);
  t.regex((await node.stop()).stdout, /nothing runs/);

  const inspect = String(await freePort());
  const back = await node.start('--port', port, '--inspect', inspect);
  t.is(back.code, 0, back.stdout + back.stderr);
  t.regex(back.stdout, new RegExp(`node inspect 127.0.0.1:${inspect}\\n`));
  t.deepEqual(await inspected(inspect), ['/usr/lib/nodeos/agent.cjs']);
  t.true((await sourcesOf(inspect)).includes(join(checkout, 'packages/apps/agent/src/main.ts')));
  t.is((await node.osctl(...uuid)).stdout, made);
  t.is((await node.osctl(...member)).stdout, status.stdout, 'the member comes back with its data');
});

testWith(root)(
  'npm start -- --host runs the agent here, without a volume that nobody asked for',
  async (t) => {
    const node = await nodeCommands(t);
    const port = String(await freePort());
    const inspect = String(await freePort());
    const started = await node.start('--host', '--port', port, '--inspect', inspect);
    t.is(started.code, 0, started.stdout + started.stderr);
    t.deepEqual(await inspected(inspect), [join(checkout, 'packages/apps/agent/bin/nodecore-agent.js')]);
    const other = await node.start('--host', '--port', port, '--inspect', String(await freePort()));
    t.regex(other.stderr, /host-node runs without --inspect \d+: npm stop first/);
    t.regex(started.stdout, /volumes: all 0 ready/);
    t.is((await node.osctl('version')).code, 0);
    t.is((await node.osctl('get', 'volumestatuses', '-o', 'json')).stdout.trim(), '[]');
    t.is((await node.stop()).code, 0);
  },
);

testWith()('a port that somebody has is said before anything starts', async (t) => {
  const node = await nodeCommands(t);
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, stderr } = await node.start('--port', String(port));
  t.is(code, 1);
  t.regex(stderr, /port \d+ of 127\.0\.0\.1 is in use/);
  t.false(await node.cluster.exists());
});
