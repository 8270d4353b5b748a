import { status } from '@grpc/grpc-js';
import { methodPaths, rolesFor } from '@nodecore/api';
import { forward, opaqueMethods, type ProxiedCall } from '@nodecore/api/forward';
import { requestIdHeader, takeRequestId } from '@nodecore/api/handlers';
import { machines, machineStatuses, type MachineStatusSpec } from '@nodecore/fleet-api';

import { auditOperation } from '../audit/event.ts';
import type { Caller } from '../access/caller.ts';
import type { Fleet } from '../feature.ts';
import type { Links } from '../links/links.ts';
import type { HandlerOptions } from '../server/handlers.ts';
import type { ServicePart } from '../server/service-part.ts';
import { statusOf } from '../server/status.ts';
import { kindOf } from '../tokens/join-token.ts';
import type { NodeConnections } from './node-connection.ts';
import { type KnownMachine, machineFor, nodeRoleOf } from './route.ts';

/** The node API of every machine: a call is passed on as it is, with the caller's role and no other. */
export function proxyService(
  fleet: Pick<Fleet, 'state' | 'clock' | 'log'>,
  { links, connections }: { readonly links: Links; readonly connections: NodeConnections },
  { callerOf, stopping }: HandlerOptions,
): ServicePart {
  const pass = async (path: string, call: ProxiedCall): Promise<void> => {
    const gone = new AbortController();
    const requestId = takeRequestId(call.metadata);
    call.on('cancelled', () => gone.abort());
    call.on('close', () => gone.abort());
    try {
      const caller = callerOf(call);
      const role = nodeRoleOf(caller);
      const machine = await machineFor(call.metadata, links.all(), () => knownMachines(fleet));
      if (!rolesFor(path).includes('os:reader')) await audit(fleet, caller, machine.id, path);
      const session = await connections.get(machine, role);
      const signal = AbortSignal.any([gone.signal, stopping]);
      const { code, details, metadata } = await forward(session, path, call, {
        signal,
        headers: requestIdHeader(requestId),
      });
      if (code === status.OK) call.end(metadata);
      else call.emit('error', { code, details, metadata });
    } catch (error) {
      const answer = statusOf(error);
      if (answer.metadata === undefined && !gone.signal.aborted)
        fleet.log.error({ requestId, err: error, path }, 'a call to a node failed without a code');
      call.emit('error', answer);
    }
  };
  const paths = methodPaths();
  const handlers = paths.map((path) => [path, (call: ProxiedCall) => void pass(path, call)] as const);
  return { definition: opaqueMethods(paths), handlers: Object.fromEntries(handlers) as never };
}

async function knownMachines({ state }: Pick<Fleet, 'state'>): Promise<readonly KnownMachine[]> {
  const { resources } = await state.list(kindOf(machineStatuses));
  return resources.map(({ metadata: { id }, spec }) => {
    const { uuid, hostname } = spec as MachineStatusSpec;
    return { id, ...(uuid !== undefined && { uuid }), ...(hostname !== undefined && { hostname }) };
  });
}

/** What is more than reading leaves a trace before it is done. */
async function audit(
  { state, clock }: Pick<Fleet, 'state' | 'clock'>,
  caller: Caller,
  machine: string,
  path: string,
): Promise<void> {
  const key = { ...kindOf(machines), id: machine };
  await state.transaction([
    auditOperation({ eventType: 'os_access', key, detail: path }, caller, clock.now()),
  ]);
}
