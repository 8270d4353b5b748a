import type { ApiError, ConnectionFault } from '@nodecore/api';
import { linesOf, printable } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import { AllFailedError, FilterError, type NodeFailure, PartialError, RemoteExitError } from './errors.ts';

/** Why a node is not reached through an endpoint. */
export const hasPort = 'a node that is named with a port is dialled itself';

/** What to do next, by error code. */
const advice: Readonly<Record<string, string>> = {
  ERR_API_UNREACHABLE: 'check that the node is up and that the endpoint is right',
  ERR_API_TIMEOUT: 'the node or the way to it is slow; try again',
  ERR_API_UNTRUSTED: 'the context is for another cluster',
  ERR_API_FINGERPRINT: "compare with the fingerprint on the node's console",
  ERR_API_UNAUTHENTICATED: 'use a context with a client certificate of this cluster',
  ERR_API_DENIED: 'use a context whose certificate has the role',
  ERR_API_UNSUPPORTED: 'compare the versions: osctl version',
  ERR_API_PROTOCOL: 'check the port: a node listens on 50000',
  ERR_AUTHV1_NO_KEY: 'get one with fleetctl login, or say where it is: --authv1-keys-dir',
};

const elsewhere = 'check the address, and that the node is up';

/** What to do about a connection, where more is known than the error's code says. */
const remedies: Readonly<Record<ConnectionFault, string>> = {
  refused: 'check the address and the port, and that the agent runs there',
  silent: 'check the address, that the node is up, and that no firewall is between',
  'no-route': elsewhere,
  'no-name': 'check the name, or give an address',
  'not-allowed': 'look at the firewall of this machine',
  lost: 'try again; if it happens at once each time, look at the log of the node',
  'no-tls': 'check the port: a node listens on 50000',
  'other-tls': 'check the port: a node listens on 50000, with TLS 1.3',
  expired: 'look at the clocks here and there; if they are right, give the node a new certificate',
  'not-yet-valid': 'look at the clocks here and there',
  'unknown-authority':
    'the context is for another cluster, or the node is in maintenance mode: then use --insecure with --cert-fingerprint',
  'other-name': 'reach it by one of these, or add the name to its certificate',
  'client-expired': 'get a new one, and add it with osctl config merge',
  proxy: 'look at proxy-url of the context, or at HTTPS_PROXY and NO_PROXY; `direct` goes through none',
  'client-refused': 'use a context with a client certificate of this cluster',
};

/** An error as lines for people: one line, or one per node. Problems of a configuration have a line each, a filter has its caret. */
export function errorLines(error: unknown): string[] {
  if (error instanceof PartialError || error instanceof AllFailedError) {
    const lines = error.failures.flatMap(linesOfNode);
    return error instanceof PartialError ? [...lines, error.message] : lines;
  }
  if (error instanceof RemoteExitError) return []; // the other computer has said it
  if (error instanceof FilterError) return error.message.split('\n').map(printable);
  const [first = '', ...rest] = linesOf(error, adviceFor(error));
  return [first + requestOf(error), ...rest];
}

/** By which the call is found in the log of the node. */
function requestOf(error: unknown): string {
  const id = isOfApi(error) ? error.requestId : undefined;
  return id === undefined ? '' : ` (request ${printable(id)})`;
}

/** The node in front of each line, and not a second time in it. */
function linesOfNode({ node, error, direct }: NodeFailure): string[] {
  const [first = '', ...rest] = errorLines(error);
  const addresses = [node, ...(isOfApi(error) ? [error.node, error.endpoint] : [])];
  const address = addresses.find((each) => each !== undefined && first.startsWith(`${printable(each)}: `));
  const bare = address === undefined ? first : first.slice(printable(address).length + 2);
  const way = direct === true && isDistant(error) ? `; ${hasPort}, and no endpoint passes the call on` : '';
  return [bare + way, ...rest].map((line) => `${printable(node)}: ${line}`);
}

/** Whether the node may be there, and can't be reached from here. */
export function isDistant(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === 'refused' || fault === 'silent' || fault === 'no-route' || fault === 'no-name';
}

/** What to do next, where anything is known. */
export function adviceFor(error: unknown): string | undefined {
  const fault = faultOf(error);
  return fault === undefined ? advice[codeOf(error) ?? ''] : remedies[fault];
}

function faultOf(error: unknown): ConnectionFault | undefined {
  return isOfApi(error) ? error.fault : undefined;
}

/** By its code: its class comes with all that talks to nodes, which a wrong command line does not need. */
export function isOfApi(error: unknown): error is ApiError {
  return codeOf(error)?.startsWith('ERR_API_') === true;
}
