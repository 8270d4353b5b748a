import { isIPv6 } from 'node:net';
import type { Writable } from 'node:stream';

import {
  chooseProxy,
  connect,
  formatEndpoint,
  loadOsconfig,
  parseEndpoint,
  parseProxy,
  type Client,
  type ConnectOptions,
  type Endpoint,
  type OsContext,
} from '@nodecore/api';
import { print, type Terminal, UsageError } from '@nodecore/cli';
import { hasPort } from '../error-lines.ts';
import type { GlobalFlags, MaintenanceFlags } from '../global-flags.ts';
import { earliestOpen } from './earliest-open.ts';

/** A node that a command talks to. */
export type Target = {
  /** As the user named it; the NODE column. */
  readonly name: string;
  readonly client: Client;
  /** Set when the endpoint is a proxy that has to pass the calls on. */
  readonly node: string | undefined;
  /** Where the node itself is dialled; absent where somebody passes the calls on. */
  readonly endpoint?: Endpoint;
  /** It is none of the endpoints, and is dialled itself all the same: it is named with a port. */
  readonly direct: boolean;
};

/** The targets of one command line. Owns their connections. */
export class Targets implements AsyncDisposable {
  readonly all: readonly Target[];

  private constructor(all: readonly Target[]) {
    this.all = all;
  }

  /**
   * The nodes of the flags, else of the context, else the only endpoint. Where `-e` names another way than the one that is taken,
   * `error` is told, once.
   *
   * @throws {UsageError} when the flags and the context do not say which nodes.
   */
  static async open(
    flags: GlobalFlags & MaintenanceFlags,
    { env, error }: Pick<Terminal, 'env'> & Partial<Pick<Terminal, 'error'>>,
  ): Promise<Targets> {
    if (flags.insecure === true) return new Targets(insecureTargets(flags, env));
    if (flags.certFingerprint !== undefined)
      throw new UsageError('--cert-fingerprint goes with --insecure only');
    const { osconfig } = await loadOsconfig({ flag: flags.osconfig, env });
    const context = osconfig.context(flags.context);
    using _key = context.key;
    if (context.identity !== undefined) return new Targets(await fleetTargets(flags, context, env));
    if (flags.authv1KeysDir !== undefined)
      throw new UsageError(
        `--authv1-keys-dir: context "${context.name}" has no authv1 method, and would ignore it; leave it out`,
      );
    const targets = await contextTargets(flags, context, env);
    if (flags.endpoints !== undefined) await announceWay(targets, error);
    return new Targets(targets);
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const client of new Set(this.all.map((target) => target.client))) client.close();
    return Promise.resolve();
  }
}

/** In maintenance mode nothing is passed on: every node is its own endpoint, and no client config is needed. */
function insecureTargets(flags: GlobalFlags & MaintenanceFlags, env: Terminal['env']): Target[] {
  const { nodes, endpoints, certFingerprint, cluster, context, authv1KeysDir } = flags;
  if (nodes !== undefined && endpoints !== undefined)
    throw new UsageError(
      '--insecure dials each node itself, and would ignore -e; leave it out, and give a port as -n <address>:<port>',
    );
  if (context !== undefined) throw new UsageError('--insecure uses no context; leave out --context');
  if (cluster !== undefined) throw new UsageError('--insecure goes through no proxy; leave out --cluster');
  if (authv1KeysDir !== undefined)
    throw new UsageError('--insecure signs nothing; leave out --authv1-keys-dir');
  const names = nodes ?? endpoints;
  if (names === undefined) throw new UsageError('--insecure needs the address of the node: -n <address>');
  return names.map((name) => {
    const endpoint = checkedEndpoint(name);
    return {
      name,
      node: undefined,
      endpoint: parseEndpoint(endpoint),
      direct: false,
      client: connect({
        endpoint,
        insecure: true,
        fingerprints: certFingerprint,
        proxy: chooseProxy(undefined, parseEndpoint(endpoint), env),
      }),
    };
  });
}

async function contextTargets(
  flags: GlobalFlags,
  context: OsContext,
  env: Terminal['env'],
): Promise<Target[]> {
  const endpoints = (flags.endpoints ?? context.endpoints).map(checkedEndpoint);
  const [first] = endpoints;
  if (first === undefined)
    throw new UsageError(`context "${context.name}" has no endpoints; give one with -e <address>`);
  const configured = context.nodes.length > 0 ? context.nodes : undefined;
  const names = flags.nodes ?? configured ?? (endpoints.length === 1 ? [first] : undefined);
  if (names === undefined)
    throw new UsageError(
      `context "${context.name}" has ${endpoints.length} endpoints; say which nodes with -n <nodes>`,
    );
  const cluster = flags.cluster ?? context.cluster;
  const proxyOf = proxies(context, env);
  const ownOf = (name: string): string | undefined =>
    endpoints.find((endpoint) => isSameNode(name, endpoint));
  // With a cluster the endpoint is a proxy, and knows what names with a port mean.
  const isPassedOn = (name: string): boolean =>
    ownOf(name) === undefined && (cluster !== undefined || !isWithPort(name));
  const passing = names.some(isPassedOn) ? await passingEndpoint(endpoints, proxyOf) : first;
  const clients = new Map<string, Client>();
  return names.map((name) => {
    const own = ownOf(name);
    const passedOn = isPassedOn(name);
    const endpoint = own ?? (passedOn ? passing : checkedEndpoint(name));
    const proxy = proxyOf(endpoint);
    const client = clients.get(endpoint) ?? connect({ ...connectOptions(endpoint, context, cluster), proxy });
    clients.set(endpoint, client);
    return {
      name,
      client,
      node: passedOn ? name : undefined,
      ...(!passedOn && proxy === undefined && { endpoint: parseEndpoint(endpoint) }),
      direct: own === undefined && !passedOn,
    };
  });
}

/** Which of the endpoints passes calls on: one that takes connections, the earlier ones first. */
async function passingEndpoint(
  endpoints: readonly string[],
  proxyOf: (endpoint: string) => string | undefined,
): Promise<string> {
  const [first = ''] = endpoints;
  if (endpoints.length === 1 || endpoints.some((endpoint) => proxyOf(endpoint) !== undefined)) return first;
  return endpoints[await earliestOpen(endpoints.map(parseEndpoint))] ?? first;
}

/** What connections to endpoints go through. @throws {UsageError} for what is no proxy, wherever it is said. */
export function proxies(
  { name, proxyUrl }: OsContext,
  env: Terminal['env'],
): (endpoint: string) => string | undefined {
  return (endpoint) => {
    const url = chooseProxy(proxyUrl, parseEndpoint(endpoint), env);
    try {
      if (url !== undefined) parseProxy(url);
    } catch (error) {
      const where = url === proxyUrl ? `proxy-url of context "${name}"` : 'the proxy of the environment';
      throw new UsageError(`${where}: ${(error as TypeError).message}`);
    }
    return url;
  };
}

/** Whether a name says which port to dial, and so where. */
function isWithPort(name: string): boolean {
  return isIPv6(name) ? false : /:\d+$/u.test(name) || name.includes('://');
}

/** Through a fleet manager, which passes every call on to the machine that it names; the key of the context signs each of them. */
async function fleetTargets(
  { nodes, endpoints, cluster, authv1KeysDir }: GlobalFlags,
  context: OsContext,
  env: Terminal['env'],
): Promise<Target[]> {
  const { name: contextName, identity = '', ca } = context;
  const [endpoint] = (endpoints ?? context.endpoints).map(checkedEndpoint);
  if (endpoint === undefined)
    throw new UsageError(
      `context "${contextName}" has no endpoints; give that of the fleet with -e <address>`,
    );
  const names = nodes ?? context.nodes;
  if (names.length === 0)
    throw new UsageError(`context "${contextName}" goes to a fleet; say which machines with -n <ids>`);
  const { signer } = await import('@nodecore/fleet-api');
  const sign = signer({ flag: authv1KeysDir, env }, { context: contextName, identity });
  const proxy = proxies(context, env)(endpoint);
  const client = connect({ endpoint, ca, sign, cluster: cluster ?? context.cluster, proxy });
  return names.map((name) => ({ name, client, node: name, direct: false }));
}

/** Says where calls go that the user may have meant to send through an endpoint. */
async function announceWay(targets: readonly Target[], error: Writable | undefined): Promise<void> {
  const direct = targets.filter((target) => target.direct).map(({ client }) => client.endpoint);
  if (direct.length > 0 && error !== undefined)
    await print(error, `osctl: ${hasPort}: ${direct.join(', ')}\n`);
}

function connectOptions(endpoint: string, context: OsContext, cluster: string | undefined): ConnectOptions {
  const { ca, crt, key, name } = context;
  if (ca === undefined || crt === undefined || key === undefined)
    throw new UsageError(
      `context "${name}" has no client certificate; add it with osctl config add, or use --insecure for a node in maintenance mode`,
    );
  return { endpoint, ca, crt, key, cluster };
}

/** Whether a node is the endpoint itself: the same host, and the same port if the node has one. */
export function isSameNode(name: string, endpoint: string): boolean {
  return name === endpoint || name === parseEndpoint(endpoint).host;
}

/** @throws {UsageError} */
export function checkedEndpoint(text: string): string {
  try {
    return formatEndpoint(parseEndpoint(text));
  } catch (error) {
    throw new UsageError((error as TypeError).message);
  }
}
