import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';
import { parse, stringify } from 'yaml';

import { FleetctlError } from '../errors.ts';

/** How to reach one fleet, and as whom. */
export type FleetContext = {
  readonly name: string;
  /** `https://host:port` */
  readonly url: string;
  /** Who signs the calls. */
  readonly identity: string;
  /** PEM of who vouches for the fleet; absent: public authorities. */
  readonly ca?: string;
};

type Stored = { url?: unknown; auth?: { authv1?: { identity?: unknown } }; ca?: unknown };

/** The file: `--fleetconfig`, then `$FLEETCONFIG`, then `~/.os/fleet/config`. */
export function fleetconfigPath(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const named = flag ?? env['FLEETCONFIG'];
  if (named !== undefined && named !== '') return named;
  const home = env['OS_HOME'] ?? (env['HOME'] === undefined ? undefined : join(env['HOME'], '.os'));
  if (home === undefined)
    throw new FleetctlError('ERR_FLEETCONFIG_NOT_FOUND', 'HOME is not set; set it, or give --fleetconfig');
  return join(home, 'fleet', 'config');
}

/** A client config of fleetctl: named contexts, one of them current. It has no keys. */
export class Fleetconfig {
  readonly path: string;
  #current: string | undefined;
  readonly #contexts: Map<string, FleetContext>;

  private constructor(path: string, current: string | undefined, contexts: Map<string, FleetContext>) {
    this.path = path;
    this.#current = current;
    this.#contexts = contexts;
  }

  /** Reads a file; one that does not exist is an empty config. @throws {FleetctlError} `ERR_FLEETCONFIG_INVALID`. */
  static async load(path: string): Promise<Fleetconfig> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      return new Fleetconfig(path, undefined, new Map());
    }
    let parsed: unknown;
    try {
      parsed = parse(text);
    } catch {
      throw invalid(path, 'it is no YAML');
    }
    const { context, contexts = {} } = (parsed ?? {}) as {
      context?: unknown;
      contexts?: Record<string, Stored>;
    };
    if (typeof contexts !== 'object' || contexts === null)
      throw invalid(path, 'contexts must map names to contexts');
    const read = Object.entries(contexts).map(
      ([name, stored]) => [name, readContext(path, name, stored)] as const,
    );
    return new Fleetconfig(path, typeof context === 'string' ? context : undefined, new Map(read));
  }

  /** Name of the current context. */
  get current(): string | undefined {
    return this.#current;
  }

  get contexts(): readonly FleetContext[] {
    return [...this.#contexts.values()];
  }

  /** A context, the current one by default. @throws {FleetctlError} `ERR_FLEETCONFIG_CONTEXT`. */
  context(name: string | undefined = this.#current): FleetContext {
    const found = name === undefined ? undefined : this.#contexts.get(name);
    if (found !== undefined) return found;
    const what = name === undefined ? 'no context is set' : `there is no context "${name}"`;
    const known =
      this.#contexts.size === 0 ? 'it has none' : `it has ${[...this.#contexts.keys()].join(', ')}`;
    const next = this.#contexts.size === 0 ? 'fleetctl config add' : 'fleetctl config context <name>';
    throw new FleetctlError('ERR_FLEETCONFIG_CONTEXT', `${what} in ${this.path}: ${known}; see ${next}`);
  }

  /** Makes a context current. */
  use(name: string): void {
    this.#current = this.context(name).name;
  }

  /** Adds a context or replaces it; the first one is current. */
  set(context: FleetContext): void {
    this.#contexts.set(context.name, context);
    this.#current ??= context.name;
  }

  /** Writes it for its owner alone, whole or not at all. */
  async save(): Promise<void> {
    const contexts = Object.fromEntries(
      this.contexts.map(({ name, url, identity, ca }) => [
        name,
        {
          url,
          auth: { authv1: { identity } },
          ...(ca !== undefined && { ca: Buffer.from(ca).toString('base64') }),
        },
      ]),
    );
    await makeDirectory(dirname(this.path));
    const text = stringify({ context: this.#current, contexts }, { lineWidth: 0 });
    await writeFileAtomic(this.path, text, { mode: 0o600 });
  }
}

function readContext(path: string, name: string, stored: Stored): FleetContext {
  const { url, auth, ca } = stored ?? {};
  const identity = auth?.authv1?.identity;
  if (typeof url !== 'string') throw invalid(path, `contexts.${name}.url must be a URL`);
  if (typeof identity !== 'string')
    throw invalid(path, `contexts.${name}.auth.authv1.identity must be a text`);
  return {
    name,
    url,
    identity,
    ...(typeof ca === 'string' && { ca: Buffer.from(ca, 'base64').toString('utf8') }),
  };
}

function invalid(path: string, why: string): FleetctlError {
  return new FleetctlError('ERR_FLEETCONFIG_INVALID', `${path} is no client config: ${why}`);
}
