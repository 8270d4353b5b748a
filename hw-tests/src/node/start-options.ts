import { join, resolve } from 'node:path';

import { cacheDirectory } from '../paths.ts';
import { parseOptions } from './arguments.ts';

/** The names of the nodes that `npm start` knows: one virtual, one on this host. */
export type NodeName = 'virtual-node' | 'host-node';
export const nodeNames: readonly NodeName[] = ['virtual-node', 'host-node'];

/** Where a node keeps its state unless it is told otherwise. */
export function defaultDirectory(name: NodeName): string {
  return join(cacheDirectory, name === 'virtual-node' ? 'clusters' : name);
}

/** What `npm start` was asked for. */
export type StartOptions = {
  readonly name: NodeName;
  readonly directory: string;
  readonly port: number;
  /** Where a debugger of the agent is attached, on 127.0.0.1. */
  readonly inspectPort?: number;
  /** The former virtual node goes first, with its disks. */
  readonly fresh: boolean;
  /** Volume documents for the first configuration, beside the root document. */
  readonly documents: readonly string[];
};

export const usage = `npm start                  the virtual node, with the volumes of examples/node.yaml
npm start -- --host        the agent on this machine itself, as root; no volumes until a document names a device
  --config FILE            first configuration: these volume documents in place of the example's
  --port PORT              of the API on 127.0.0.1 (default 50000)
  --inspect PORT           a debugger attaches to the agent at 127.0.0.1:PORT (docs/debugging.md)
  --state DIR              where the node keeps its disks or its state; npm stop -- --state DIR ends it
  --fresh                  the virtual node anew, with blank disks`;

/** Reads the command line. Throws a `TypeError` for people. */
export function startOptions(argv: readonly string[], example: string): StartOptions {
  const values = parseOptions(argv, {
    host: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    state: { type: 'string' },
    port: { type: 'string', default: '50000' },
    inspect: { type: 'string' },
    config: { type: 'string', multiple: true },
  });
  const port = portOf('--port', values.port);
  const inspectPort = values.inspect === undefined ? undefined : portOf('--inspect', values.inspect);
  if (inspectPort === port) throw new TypeError(`--inspect ${port} is the port of the API`);
  if (values.host && values.fresh)
    throw new TypeError('--fresh is for the virtual node, and --host for this machine');
  const name = values.host ? 'host-node' : 'virtual-node';
  // The example's selectors fit the virtual node's disks; on a host they could fit anything.
  const documents = values.config ?? (values.host ? [] : [example]);
  return {
    name,
    directory: resolve(values.state ?? defaultDirectory(name)),
    port,
    ...(inspectPort !== undefined && { inspectPort }),
    fresh: values.fresh,
    documents: documents.map((file) => resolve(file)),
  };
}

function portOf(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new TypeError(`${flag} ${text}`);
}
