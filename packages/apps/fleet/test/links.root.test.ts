import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ApiError, type CallSigner, type Client, connect } from '@nodecore/api';
import { decodeServiceAccount, generateSigningKey, readSigningKey, signCall } from '@nodecore/authv1';
import { connectFleet, type FleetClient, type MachineSpec } from '@nodecore/fleet-api';
import { createCA } from '@nodecore/pki';
import { root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { RunningProgram } from './programs.ts';
import { directory } from './scene.ts';

const machinesType = 'Machines.fleet.nodecore.dev';

/** A fleet manager in a process of its own, which can be killed and started again. */
class FleetScene {
  readonly #t: ExecutionContext;
  readonly path: string;
  readonly #endpoint: string;
  program: RunningProgram;

  private constructor(t: ExecutionContext, path: string, endpoint: string) {
    this.#t = t;
    this.path = path;
    this.#endpoint = endpoint;
    this.program = this.start();
  }

  static async open(t: ExecutionContext): Promise<FleetScene> {
    // It is started twice at the same place, which nobody else takes meanwhile: an address of loopback of its own.
    const [a, b, c] = randomBytes(3);
    const host = `127.${a}.${b}.${1 + ((c ?? 0) % 254)}`;
    const scene = new FleetScene(t, await directory(t), `${host}:8443`);
    await scene.program.line('fleetca=');
    return scene;
  }

  start(): RunningProgram {
    const url = `https://${this.#endpoint}`;
    this.program = new RunningProgram(this.#t, 'fleet/bin/nodecore-fleet.js', [
      'serve',
      `--listen=${this.#endpoint}`,
      `--advertised-url=${url}`,
      `--state=${this.stateFile}`,
      `--initial-service-account-key=${join(this.path, 'key')}`,
    ]);
    return this.program;
  }

  get stateFile(): string {
    return join(this.path, 'fleet.db');
  }

  /** Clients of the fleet, and of nodes through it. */
  async clients(sign: CallSigner): Promise<{ readonly fleet: FleetClient; readonly node: Client }> {
    const ca = await readFile(`${this.stateFile}.ca.crt`, 'utf8');
    const endpoint = this.#endpoint;
    const fleet = connectFleet({ url: `https://${endpoint}`, ca, sign });
    const node = connect({ endpoint, ca, sign });
    this.#t.teardown(() => {
      fleet.close();
      node.close();
    });
    return { fleet, node };
  }

  async administrator(): Promise<CallSigner> {
    const { name: identity, key: secret } = decodeServiceAccount(
      await readFile(join(this.path, 'key'), 'latin1'),
    );
    using _secret = secret;
    const key = await readSigningKey(secret);
    return async (path, headers) => await signCall(key, { path, headers, identity });
  }
}

async function account(admin: FleetClient, role: string): Promise<CallSigner> {
  const name = role.toLowerCase();
  const identity = `${name}@serviceaccount.fleet`;
  const made = await generateSigningKey({ name, email: identity, lifetimeMs: 3_600_000 });
  using secret = made.secret;
  await admin.createServiceAccount({ name, role, publicKey: made.publicKey });
  const key = await readSigningKey(secret);
  return async (path, headers) => await signCall(key, { path, headers, identity });
}

/** An agent that has a configuration already: it lets the fleet in, and dials it. */
async function agent(
  t: ExecutionContext,
  fleet: FleetScene,
  document: string,
): Promise<{ readonly program: RunningProgram; readonly machine: () => Promise<string> }> {
  const path = await directory(t);
  const ca = await createCA('node');
  const access = await readFile(`${fleet.stateFile}.access.crt`);
  const text = [
    'version: v1alpha1',
    'machine:',
    '  type: controlplane',
    `  ca: {crt: ${Buffer.from(ca.crt).toString('base64')}, key: ${ca.key.bytes.toString('base64')}}`,
    `  acceptedCAs: [{crt: ${access.toString('base64')}}]`,
    '---',
    document,
  ].join('\n');
  await mkdir(join(path, 'state'), { mode: 0o700 });
  await writeFile(join(path, 'state', 'config.yaml'), text, { mode: 0o600 });
  const program = new RunningProgram(t, 'agent/bin/nodecore-agent.js', [
    `--state=${join(path, 'state')}`,
    `--run-directory=${join(path, 'run')}`,
    `--mount-root=${join(path, 'root')}`,
    '--listen=127.0.0.1:0',
  ]);
  const machine = async (): Promise<string> => {
    const line = await program.line('the fleet knows this machine');
    return (JSON.parse(line) as { machine: string }).machine;
  };
  return { program, machine };
}

async function machines(client: FleetClient): Promise<ReadonlyMap<string, MachineSpec>> {
  const lists = await Array.fromAsync(client.list({ type: machinesType }));
  return new Map(
    lists.flatMap(({ resources }) =>
      resources.map(({ metadata, spec }) => [
        metadata?.id ?? '',
        JSON.parse(Buffer.from(spec).toString()) as MachineSpec,
      ]),
    ),
  );
}

testWith(root)(
  'an agent joins by token and is called through the fleet with the role of who calls',
  async (t) => {
    const scene = await FleetScene.open(t);
    const admin = await scene.clients(await scene.administrator());
    const reader = await scene.clients(await account(admin.fleet, 'Reader'));
    const { config } = await reader.fleet.machineJoinConfig({});
    const { program, machine } = await agent(t, scene, config);
    const id = await machine();
    t.true((await machines(reader.fleet)).get(id)?.connected);

    const disks = await Array.fromAsync(
      reader.node.list({ type: 'Disks.block.nodecore.dev', namespace: 'runtime' }, { node: id }),
    );
    t.true(disks.some(({ resources }) => resources.length > 0));
    const write = { node: id };
    await t.throwsAsync(reader.node.reboot({}, write), { code: 'ERR_API_DENIED', message: /os:reader/u });
    const refused = await t.throwsAsync(admin.node.reboot({}, write), undefined, 'there is no init program');
    t.not((refused as { code?: string }).code, 'ERR_API_DENIED');
    const { requestId } = refused as Partial<ApiError>;
    t.true(
      (await program.line(`"requestId":"${requestId}"`)).includes('reboot'),
      'the node knows it by this id',
    );
    await t.throwsAsync(reader.node.version({ node: 'nobody' }), { code: 'ERR_API_NOT_FOUND' });

    const [logs] = await Array.fromAsync(reader.fleet.machineLogs({ machineId: id }));
    t.regex(Buffer.from(logs?.data ?? []).toString(), /configuration is active/u);

    await scene.program.kill();
    await scene.start().line('fleetca=');
    await program.line('the fleet knows this machine', 1);
    const again = await scene.clients(await scene.administrator());
    t.true((await machines(again.fleet)).get(id)?.connected);
    t.truthy(await again.node.version({ node: id }));

    const token = await again.fleet.createJoinToken({ name: 'site b' });
    const other = await again.fleet.machineJoinConfig({ tokenId: token.id });
    await again.fleet.revokeJoinToken(token.id);
    const stranger = await agent(t, scene, other.config);
    t.regex(await stranger.program.line('"denied"'), /the join token is revoked/u);
    t.is((await machines(again.fleet)).size, 1);
    t.false(scene.program.lines.concat(program.lines).some((line) => line.includes(token.id)));
  },
);
