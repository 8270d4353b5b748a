import { execFile } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { ClusterDirectory, makePlan, readDevRequest } from '../src/index.ts';
import type { KeptMachine } from '../src/keeper/messages.ts';
import { redfishCredentials, redfishFiles } from '../src/redfish/credentials.ts';
import { serveRedfish } from '../src/redfish/server.ts';
import { devFlags } from './requests.ts';

const test = testWith(program('curl'));

type Answer = { readonly status: number; readonly body: string; readonly headers: string };

/** A service of two machines, and curl as its client. */
async function served(t: ExecutionContext, hasNetworkImage = true) {
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  await mkdir(directory.secrets, { recursive: true });
  const { nodes } = makePlan(readDevRequest(devFlags), '0'.repeat(32));
  const credentials = await redfishCredentials(directory, '127.0.0.1');
  t.teardown(() => credentials[Symbol.dispose]());
  const done: (readonly unknown[])[] = [];
  let state: KeptMachine['state'] = 'running';
  const server = await serveRedfish({ address: '127.0.0.1', port: 0 }, credentials, {
    nodes,
    reflect: () => nodes.map(({ name }) => ({ name, state, starts: 1 })),
    reset: (...all) => {
      done.push(all);
      state = all[1] === 'ForceOff' ? 'off' : 'running';
      return Promise.resolve();
    },
    hasNetworkImage,
  });
  t.teardown(() => server[Symbol.asyncDispose]());
  const files = redfishFiles(directory);
  const password = await readFile(files.password, 'utf8');
  const curl = async (path: string, ...more: readonly string[]): Promise<Answer> => {
    const { stdout } = await promisify(execFile)('curl', [
      '-sSi',
      '--path-as-is',
      '--cacert',
      files.crt,
      ...more,
      `https://127.0.0.1:${server.port}${path}`,
    ]);
    const [headers = '', body = ''] = stdout.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, '').split('\r\n\r\n');
    return { status: Number(headers.split(' ')[1]), headers, body };
  };
  const admin = ['-u', `admin:${password}`];
  const send = (method: string, body: unknown): readonly string[] => {
    const data = typeof body === 'string' ? body : JSON.stringify(body);
    return [...admin, '-X', method, '-H', 'content-type: application/json', '--data', data];
  };
  return { curl, admin, send, done, nodes, files, password };
}

test('a client finds the machines from the root, and what it may do with them', async (t) => {
  const { curl, admin, nodes, files } = await served(t);
  t.deepEqual(JSON.parse((await curl('/redfish')).body), { v1: '/redfish/v1/' });
  const root = JSON.parse((await curl('/redfish/v1/')).body) as Record<string, Record<string, string>>;
  const systems = JSON.parse((await curl(root['Systems']?.['@odata.id'] ?? '', ...admin)).body) as {
    readonly Members: readonly { readonly '@odata.id': string }[];
  };
  t.is(systems.Members.length, 2);
  const { headers, body } = await curl(systems.Members[0]?.['@odata.id'] ?? '', ...admin);
  t.regex(headers, /odata-version: 4\.0/i);
  t.like(JSON.parse(body), {
    Id: nodes[0]?.name,
    UUID: nodes[0]?.uuid,
    PowerState: 'On',
    ProcessorSummary: { Count: 2 },
    MemorySummary: { TotalSystemMemoryGiB: 2 },
    Boot: { BootSourceOverrideEnabled: 'Disabled', BootSourceOverrideTarget: 'None' },
    Actions: {
      '#ComputerSystem.Reset': {
        target: `/redfish/v1/Systems/${nodes[0]?.name}/Actions/ComputerSystem.Reset`,
      },
    },
  });
  for (const path of [files.password, files.key]) t.is((await stat(path)).mode & 0o777, 0o600);
});

test('power is switched, and the network is started from once', async (t) => {
  const { curl, admin, send, done, nodes } = await served(t);
  const [{ name } = { name: '' }] = nodes;
  const system = `/redfish/v1/Systems/${name}`;
  const reset = async (type: string): Promise<number> =>
    (await curl(`${system}/Actions/ComputerSystem.Reset`, ...send('POST', { ResetType: type }))).status;
  const power = async (): Promise<string> =>
    (JSON.parse((await curl(system, ...admin)).body) as { readonly PowerState: string }).PowerState;
  t.is(await reset('ForceOff'), 204);
  t.is(await power(), 'Off');
  const once = { Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Pxe' } };
  const { body } = await curl(system, ...send('PATCH', once));
  t.like(JSON.parse(body), { Boot: { BootSourceOverrideEnabled: 'Once', BootSourceOverrideTarget: 'Pxe' } });
  t.is(await reset('GracefulShutdown'), 204);
  t.is(await reset('On'), 204);
  t.is(await reset('ForceRestart'), 204);
  t.is(await power(), 'On');
  t.deepEqual(done, [
    [name, 'ForceOff', false],
    [name, 'GracefulShutdown', false],
    [name, 'On', true],
    [name, 'ForceRestart', false],
  ]);
});

test('who has no password sees nothing but the root, and wrong requests do nothing', async (t) => {
  const { curl, admin, send, done, nodes, password } = await served(t, false);
  const system = `/redfish/v1/Systems/${nodes[0]?.name}`;
  const action = `${system}/Actions/ComputerSystem.Reset`;
  const off = ['-X', 'POST', '--data', '{"ResetType":"ForceOff"}'];
  for (const who of [[], ['-u', 'admin:'], ['-u', `root:${password}`], ['-u', `admin:${password}x`]]) {
    const { status, headers } = await curl(action, ...who, ...off);
    t.is(status, 401);
    t.regex(headers, /www-authenticate: Basic/i);
    t.is((await curl('/redfish/v1/Systems', ...who)).status, 401);
  }
  const pxe = { Boot: { BootSourceOverrideTarget: 'Pxe' } };
  for (const [path, more, status] of [
    [action, send('POST', { ResetType: 'Explode' }), 400],
    [action, send('POST', {}), 400],
    [action, send('POST', '{'), 400],
    [action, send('POST', '[]'), 400],
    [action, send('POST', 'x'.repeat(70_000)), 413],
    [action, admin, 405],
    [system, send('PATCH', { PowerState: 'Off' }), 400],
    [system, send('PATCH', { Boot: { BootSourceOverrideTarget: 'Usb' } }), 400],
    [system, send('PATCH', { Boot: null }), 400],
    [system, send('PATCH', pxe), 409],
    [system, send('DELETE', ''), 405],
    ['/redfish/v1', send('POST', {}), 405],
    ['/redfish/v1/Systems/nobody', admin, 404],
    ['/redfish/v1/Systems/../../../etc/passwd', admin, 404],
    [`${system}/Actions/Other`, admin, 404],
  ] as const) {
    const answer = await curl(path, ...more);
    t.is(answer.status, status, `${path} ${answer.body}`);
    if (status !== 404) t.truthy((JSON.parse(answer.body) as { readonly error: object }).error);
  }
  t.deepEqual(done, []);
});
