import { ApiError, type Client, connect, decodeSpec, listAll } from '@nodecore/api';
import { patchConfiguration } from '@nodecore/config';

import { sendConfiguration } from '../configuration/send.ts';
import { inTurn } from '../configuration/turns.ts';
import { ConfiguredNode, type Operation } from './configured.ts';
import { RotationError } from './errors.ts';

/** What is shown to nodes, and whom they are believed by; PEM. */
export type Credentials = { readonly ca: string; readonly crt: string; readonly key: string };

export type RotatingNodeParts = {
  /** As the user has named it. */
  readonly name: string;
  readonly endpoint: string;
  readonly proxy: string | undefined;
  readonly signal: AbortSignal;
};

const type = 'MachineConfigs.config.nodecore.dev';
/** A call that proves something; a node that does not answer is asked again. */
const callMs = 10_000;

/** One node of a rotation: each call has a connection of its own, as only a handshake says whom a node lets in now. */
export class RotatingNode {
  readonly #parts: RotatingNodeParts;

  constructor(parts: RotatingNodeParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  /** `host:port` */
  get endpoint(): string {
    return this.#parts.endpoint;
  }

  /** It is dialled itself. */
  get direct(): boolean {
    return true;
  }

  async call<Result>(credentials: Credentials, work: (client: Client) => Promise<Result>): Promise<Result> {
    const { ca, crt, key } = credentials;
    const { endpoint, proxy } = this.#parts;
    await using client = connect({ endpoint, proxy, ca, crt, key: Buffer.from(key) });
    return await work(client);
  }

  /** That the node lets these in, and shows a certificate that they believe. @throws {ApiError} */
  async prove(credentials: Credentials): Promise<void> {
    const { signal } = this.#parts;
    await this.call(credentials, (client) => client.version({ signal, timeoutMs: callMs }));
  }

  /** Whether the node refuses these, and nothing else is wrong. @throws {ApiError} when it does not answer. */
  async refuses(credentials: Credentials): Promise<boolean> {
    try {
      await this.prove(credentials);
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_API_UNAUTHENTICATED') return true;
      throw error;
    }
  }

  /** The configuration that is active, its secrets hidden. @throws {RotationError} when another one waits for the next boot. */
  async configuration(credentials: Credentials): Promise<ConfiguredNode> {
    return new ConfiguredNode((await this.call(credentials, (client) => this.#present(client))).text);
  }

  /** Changes the configuration, anew when somebody else changes it meanwhile. Nothing when there is nothing to do. */
  async change(
    credentials: Credentials,
    operationsFor: (configuration: ConfiguredNode) => readonly Operation[],
  ): Promise<void> {
    const { signal } = this.#parts;
    const change = async (client: Client): Promise<void> => {
      const { text, version } = await this.#present(client);
      const operations = operationsFor(new ConfiguredNode(text));
      if (operations.length === 0) return;
      const patched = patchConfiguration(text, [{ text: JSON.stringify(operations) }], { file: this.name });
      const target = { name: this.name, client, node: undefined, direct: true };
      const flags = { mode: 'no-reboot', dryRun: false, timeoutMs: 0 } as const;
      await sendConfiguration(target, Buffer.from(patched), flags, { signal, expectedVersion: version });
    };
    await this.call(credentials, (client) => inTurn(() => change(client), { signal }, { rebase: true }));
  }

  async #present(client: Client): Promise<{ readonly text: string; readonly version: bigint }> {
    const options = { signal: this.#parts.signal, timeoutMs: callMs };
    const { resources } = await listAll(client, { type, namespace: 'config' }, options);
    const found = resources.map(({ metadata, spec }) => ({
      text: decodeSpec(spec),
      version: metadata?.version ?? 0n,
    }));
    const [first] = found;
    if (typeof first?.text !== 'string')
      throw new RotationError('ERR_ROTATION_NODE', `${this.name}: it has no configuration`);
    if (found.some(({ text }) => text !== first.text))
      throw new RotationError(
        'ERR_ROTATION_NODE',
        `${this.name}: a configuration waits for its next boot, or is tried; have it take effect or go first`,
      );
    const version = found.reduce((most, each) => (each.version > most ? each.version : most), 0n);
    return { text: first.text, version };
  }
}
