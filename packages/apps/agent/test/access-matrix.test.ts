import { readFile } from 'node:fs/promises';

import { Client, credentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import { methodPaths, roles } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import * as contract from '../../../contract/api/gen/nodecore-v1.js';
import { maintenanceCredentials } from '../src/certificates/node-certificate.ts';
import { collecting, streaming, unary } from '../src/server/handlers.ts';
import { ApiServer } from '../src/server/server.ts';
import { type ServiceOptions, type ServicePart, servicePart } from '../src/server/service-part.ts';

const ca = await pki.createCA('matrix');
const anybody = 'anybody, before the first configuration';

/** What the documentation promises: methods by role. `npm run generate` writes it from the contract. */
async function promised(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await readFile(new URL('../../../../docs/agent.md', import.meta.url), 'utf8');
  const table = /\| Role \| Methods \|\n\|---\|---\|\n((?:\|.*\n)+)/u.exec(text)?.[1] ?? '';
  const rows = Array.from(table.matchAll(/^\| (.*?) \| (.*?) \|$/gmu), ([, role = '', list = '']) => {
    const methods = list.split('; ').flatMap((group) => {
      const [service = '', names = ''] = group.split(': ');
      return names.split(', ').map((name) => `/nodecore.v1.${service}/${name}`);
    });
    return [role.replaceAll('`', ''), new Set(list === 'all' ? methodPaths() : methods)] as const;
  });
  return new Map(rows);
}

/** Every service of the contract, with handlers that let everything be. */
function everything(options: ServiceOptions, reached: (path: string) => void): readonly ServicePart[] {
  const services = Object.entries(contract).flatMap(([name, value]) =>
    name.endsWith('Service') ? [value as unknown as ServiceDefinition] : [],
  );
  return services.map((definition) => {
    const handlers = Object.entries(definition).map(([name, { path, requestStream, responseStream }]) => {
      if (requestStream)
        return [
          name,
          collecting(options, async () => {
            reached(path);
            return {};
          }),
        ];
      if (responseStream)
        return [
          name,
          // oxlint-disable-next-line require-yield -- a stream without answers
          streaming(options, async function* () {
            reached(path);
          }),
        ];
      return [
        name,
        unary(options, async () => {
          reached(path);
          return {};
        }),
      ];
    });
    return servicePart(definition, Object.fromEntries(handlers));
  });
}

async function serve(t: ExecutionContext) {
  const reached: string[] = [];
  const server = new ApiServer({ log: pino({ level: 'silent' }), drainMs: 1 });
  server.serve((options) => everything(options, (path) => reached.push(path)));
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => server.close());
  return { server, reached, endpoint: `localhost:${port}` };
}

/** How a call of each method ends that has an empty request. */
async function callAll(client: Client): Promise<Map<string, status>> {
  const ends = new Map<string, status>();
  for (const path of methodPaths()) ends.set(path, await call(client, path));
  client.close();
  return ends;
}

function plain(data: Buffer): Buffer {
  return data;
}

/** By a stream in both directions, which is all kinds of calls. */
async function call(client: Client, path: string): Promise<status> {
  const stream = client.makeBidiStreamRequest(path, plain, plain, { deadline: Date.now() + 30_000 });
  const { promise, resolve } = Promise.withResolvers<status>();
  stream.on('status', ({ code }) => resolve(code));
  stream.on('error', () => {}); // the status says it
  stream.resume();
  stream.write(Buffer.alloc(0));
  stream.end();
  return await promise;
}

test('each role may call what the documentation says, and is denied everything else', async (t) => {
  const table = await promised();
  const { server, reached, endpoint } = await serve(t);
  server.use({ ...(await pki.issueServer(ca, { names: ['localhost'] })), clientAuthorities: [ca.crt] });
  t.deepEqual([...table.keys()].filter((role) => role !== anybody).toSorted(), [...roles].toSorted());
  const callAs = async (role: string): Promise<Map<string, status>> => {
    reached.length = 0;
    const client = await pki.issueClient(ca, { roles: [role] });
    const [authority, key, crt] = [ca.crt, client.key.bytes, client.crt].map((each) => Buffer.from(each));
    return await callAll(new Client(endpoint, credentials.createSsl(authority, key, crt)));
  };
  for (const role of roles) {
    for (const [path, code] of await callAs(role)) {
      const isAllowed = table.get(role)?.has(path) === true;
      t.is(code === status.PERMISSION_DENIED, !isAllowed, `${role}: ${path}: ${status[code]}`);
      t.is(reached.includes(path), isAllowed, `${role}: ${path}`);
    }
  }
  // Who has none of the roles has no connection.
  const ends = [...(await callAs('os:impersonator')).values()];
  t.false(ends.includes(status.OK));
  t.deepEqual(reached, []);
});

test('before the first configuration anybody may call what the documentation says, and nothing else', async (t) => {
  const allowed = (await promised()).get(anybody) ?? new Set();
  const { server, reached, endpoint } = await serve(t);
  const { crt, key, clientAuthorities } = await maintenanceCredentials();
  server.use({ crt, key, clientAuthorities });
  const insecure = credentials.createSsl(null, null, null, {
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  });
  const ends = await callAll(new Client(endpoint, insecure));
  t.true(allowed.size > 5);
  for (const [path, code] of ends) {
    t.is(code === status.PERMISSION_DENIED, !allowed.has(path), `${path}: ${status[code]}`);
    t.is(reached.includes(path), allowed.has(path), path);
  }
});

test('what is served before the first configuration is for readers, or brings what a machine begins with', async (t) => {
  const table = await promised();
  const beginnings = ['ApplyConfiguration', 'MetaWrite', 'MetaDelete'];
  for (const path of table.get(anybody) ?? [])
    t.true(
      table.get('os:reader')?.has(path) === true || beginnings.includes(path.split('/').at(-1) ?? ''),
      path,
    );
});
