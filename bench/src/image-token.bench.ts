import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildRelease } from '@nodecore/release';

import { tokenServer } from './image/file-servers.ts';
import { factoryProgram, startFactoryProgram } from './image/serving-factory.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const requests = 200;
const version = 'v1.14.0-alpha.0';

type Caller = { readonly url: string; readonly token: string; readonly agent: Agent };

async function statusOf({ url, token, agent }: Caller): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}` };
  request(url, { agent, headers }, (answer) => {
    answer.on('end', () => resolve(answer.statusCode ?? 0)).resume();
  })
    .on('error', reject)
    .end();
  return await promise;
}

/** Microseconds of a request of somebody who asks one after the other on one connection. */
async function sample(caller: Caller): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < requests; count += 1) await statusOf(caller);
  return ((performance.now() - started) / requests) * 1000;
}

/** What is answered to the token, to one of another signature, and to none. */
async function answers(caller: Caller): Promise<readonly number[]> {
  const { token } = caller;
  const at = token.lastIndexOf('.') + 5;
  const other = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  const statuses: number[] = [];
  for (const each of [token, other, '']) statuses.push(await statusOf({ ...caller, token: each }));
  return statuses;
}

async function issued(url: string, bootstrap: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${bootstrap}` };
  const answer = await fetch(`${url}/tokens`, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await answer.json()) as { readonly token: string }).token;
}

export const bench: Bench = {
  async prepare(stack) {
    const place = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(async () => await rm(place, { recursive: true, force: true }));
    const { directory } = await buildRelease({ version });
    const [key, publicKey, config] = ['token.key', 'token.pub', 'factory.yaml'].map((name) =>
      join(place, name),
    ) as [string, string, string];
    await runProgram(['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', key]);
    await runProgram(['openssl', 'pkey', '-in', key, '-pubout', '-out', publicKey]);
    await writeFile(config, `authentication: {enabled: true, tokens: {keyPaths: [${key}]}}\n`);
    const release = {
      releases: join(directory, '..'),
      key: join(directory, '../../release-keys/release.pub'),
    };
    const { url } = await startFactoryProgram(stack, release, join(place, 'storage'), ['--config', config]);
    const words = ['token', 'bootstrap', '--config', config, '--subject', 'admin'];
    const bootstrap = (await runProgram([process.execPath, factoryProgram, ...words])).trim();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    stack.defer(() => agent.destroy());
    const grant = { subject: 'ann', name: 'bench', scopes: ['image:read'] };
    const peer = await tokenServer(stack, publicKey);
    return await Promise.all(
      [false, true].map(async (isStored) => {
        const token = await issued(url, bootstrap, { ...grant, stored: isStored });
        const [ours, theirs] = [`${url}/v2/`, peer.url].map((each) => ({ url: each, token, agent })) as [
          Caller,
          Caller,
        ];
        return ask<readonly number[]>({
          name: isStored ? 'image-token-stored' : 'image-token',
          question: `How long does a request with a ${isStored ? 'stored ' : ''}token take, and one of a server that looks at its signature alone?`,
          unit: 'µs',
          gate: 4,
          ours: {
            name: 'factory: GET /v2/',
            run: async () => await answers(ours),
            sample: async () => await sample(ours),
          },
          peer: {
            name: 'node:http, node:crypto',
            run: async () => await answers(theirs),
            sample: async () => await sample(theirs),
          },
        });
      }),
    );
  },
};
