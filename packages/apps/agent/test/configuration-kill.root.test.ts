import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const kills = process.env['FAULT_CAMPAIGN'] === 'long' ? 100 : 8;
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Small numbers that look random and are the same for the same seed. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const ca = await authority();
const administrator = await pki.issueClient(ca, { roles: ['os:admin'] });
/** A selector that no disk matches: what is killed here is the persistence, not the making of volumes. */
const text = (index: number): string =>
  rootDocument(ca) + volumeDocument({ name: `v${index}`, match: 'disk.size == 1u' });

function admin(t: ExecutionContext, agent: AgentProcess): Client {
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, ...administrator });
  t.teardown(() => client.close());
  return client;
}

testWith(root)(
  `a kill at any moment of applying leaves the old or the new configuration (seed ${seed})`,
  async (t) => {
    t.timeout(240_000);
    const numbers = random(seed);
    const directory = await temporaryDirectory(t);
    const stored = (): Promise<string> => readFile(join(directory, 'state', 'config.yaml'), 'utf8');
    let agent = await AgentProcess.start(t, directory);
    const { version } = await connect({ endpoint: agent.endpoint, insecure: true }).applyConfiguration({
      data: Buffer.from(text(0)),
    });
    let last = version;
    let longest = 200; // milliseconds that the last answer took; a kill comes until half as much later
    let before = text(0);
    let answered = 0;
    for (let index = 1; index <= kills; index += 1) {
      const next = text(index);
      const client = admin(t, agent);
      await client.version(); // the connection is there: what is killed is the call
      const started = performance.now();
      const call = client.applyConfiguration({ data: Buffer.from(next) }).then(
        (response) => {
          longest = performance.now() - started;
          return response.version;
        },
        () => undefined,
      );
      const delay = numbers.next().value * longest * 1.5;
      await Promise.race([call, new Promise((resolve) => setTimeout(resolve, delay))]);
      await agent.kill();
      const reply = await call;
      client.close();
      if (reply !== undefined) answered += 1;
      const after = await stored();
      t.true(after === next || (after === before && reply === undefined), `kill ${index} after ${delay} ms`);
      agent = await AgentProcess.start(t, directory);
      const now = await admin(t, agent).applyConfiguration({ data: Buffer.from(after), dryRun: true });
      t.is(now.diff, '', 'what is stored is what is active');
      t.true(now.version >= last && (reply === undefined || now.version >= reply), 'numbers never go back');
      last = now.version;
      before = after;
    }
    t.log(`seed ${seed}: ${kills} kills, ${answered} calls had been answered`);
  },
);
