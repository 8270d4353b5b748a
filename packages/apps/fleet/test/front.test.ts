import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { Client, ChannelCredentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { chainHasPin, connectFleet, peerChain, unsigned } from '@nodecore/fleet-api';
import { ManagementService } from '@nodecore/fleet-api/protocol';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import type { Feature } from '../src/feature.ts';
import { features } from '../src/features.ts';
import type { RunningFleet } from '../src/fleet.ts';
import { fleetOf } from './scene.ts';

async function dial(
  t: ExecutionContext,
  { address, authority }: RunningFleet,
  options: ConnectionOptions,
): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    servername: 'localhost',
    port: address.port,
    ca: authority,
    ...options,
  });
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

test('one port has gRPC, pages and protocols of features, each by what the client speaks', async (t) => {
  const taken: string[] = [];
  const feature: Feature = {
    name: 'echo',
    definitions: [],
    make: () => ({
      protocols: {
        'echo/1': (socket) => {
          taken.push(socket.alpnProtocol as string);
          socket.end('hello');
        },
      },
      pages: { '/x': (_request, response) => response.end('a page') },
    }),
  };
  const fleet = await fleetOf(t, { features: [...features, feature] });
  const own = await dial(t, fleet, { ALPNProtocols: ['h2', 'echo/1', 'http/1.1'] });
  t.is(String((await once(own, 'data'))[0]), 'hello');
  t.deepEqual(taken, ['echo/1']);

  t.is((await dial(t, fleet, { ALPNProtocols: ['h2', 'http/1.1'] })).alpnProtocol, 'http/1.1');
  t.is((await dial(t, fleet, { ALPNProtocols: ['h2'] })).alpnProtocol, 'h2');
  await t.throwsAsync(dial(t, fleet, { ALPNProtocols: ['other'] }), { message: /alert|application/u });

  const asked = request({
    host: '127.0.0.1',
    servername: 'localhost',
    port: fleet.address.port,
    ca: fleet.authority,
    path: '/x/y?z',
  });
  const [answer] = (await once(asked.end(), 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  t.is(answer.statusCode, 200);
  t.is(Buffer.concat(await Array.fromAsync(answer)).toString(), 'a page');
});

test('the pin of the join URL is in the chain that the server shows', async (t) => {
  const fleet = await fleetOf(t);
  const socket = await dial(t, fleet, { ALPNProtocols: ['h2'] });
  const chain = peerChain(socket.getPeerX509Certificate());
  t.true(chainHasPin(chain, fleet.fleetCa ?? ''));
  t.false(chainHasPin(chain, '0'.repeat(64)));
});

test('a call that nobody signed gets nothing', async (t) => {
  const fleet = await fleetOf(t);
  const credentials = ChannelCredentials.createSsl(Buffer.from(fleet.authority));
  const client = new Client(`127.0.0.1:${fleet.address.port}`, credentials);
  t.teardown(() => client.close());
  const { path, requestSerialize, responseDeserialize } = ManagementService.getMachineJoinConfig;
  const error = await new Promise<ServiceError | null>((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, new Metadata(), resolve);
  });
  t.is(error?.code, 16);
});

test('who calls is known by address, also where the connection was handed over', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const fleet = await fleetOf(t, { log });
  const client = connectFleet({
    url: `https://127.0.0.1:${fleet.address.port}`,
    ca: fleet.authority,
    sign: unsigned,
  });
  t.teardown(() => client.close());
  await t.throwsAsync(client.whoAmI(), { code: 'ERR_API_UNAUTHENTICATED' });
  const refused = lines.map((line) => JSON.parse(line) as Record<string, string>);
  t.regex(refused.find(({ msg }) => msg === 'call refused')?.['peer'] ?? '', /^127\.0\.0\.1:\d+$/u);
});
