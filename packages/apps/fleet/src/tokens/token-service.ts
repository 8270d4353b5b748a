import { kernelArgument } from '@nodecore/config/kernel-arguments';
import {
  type DefaultJoinTokenSpec,
  formatJoinUrl,
  joinTokens,
  type JoinTokenSpec,
} from '@nodecore/fleet-api';
import type {
  CreateJoinTokenRequest,
  GetMachineJoinConfigRequest,
  ManagementServiceHandlers,
  RevokeJoinTokenRequest,
} from '@nodecore/fleet-api/protocol';

import { auditOperation } from '../audit/event.ts';
import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type HandlerOptions, unary } from '../server/handlers.ts';
import { defaultTokenKey } from './default-token.ts';
import { kindOf, newJoinToken, verdictOf } from './join-token.ts';

const maxName = 16;
const maxTokens = 1000;

type Handlers = Pick<
  ManagementServiceHandlers,
  'createJoinToken' | 'revokeJoinToken' | 'getMachineJoinConfig'
>;

/** Makes and revokes tokens, and says how a machine is told of the fleet. */
export function tokenService(fleet: Fleet, options: HandlerOptions): Handlers {
  const { state, clock } = fleet;
  return {
    createJoinToken: unary(options, async (request: CreateJoinTokenRequest, { caller }) => {
      const name = checkedName(request.name);
      const lifetimeMs = Number(request.lifetimeMillis);
      if (lifetimeMs < 0) throw new FleetError('ERR_FLEET_REQUEST', 'the lifetime is negative');
      const { resources } = await state.list(kindOf(joinTokens));
      if (resources.length >= maxTokens)
        throw new FleetError('ERR_FLEET_LIMIT', `there are ${maxTokens} join tokens already`);
      if (resources.some(({ spec }) => (spec as JoinTokenSpec).name === name))
        throw new FleetError('ERR_FLEET_EXISTS', `there is a join token "${name}"`);
      const now = clock.now();
      const key = { ...kindOf(joinTokens), id: newJoinToken() };
      const expires = lifetimeMs > 0 && { expirationTime: timeOf(now + lifetimeMs) };
      await state.transaction([
        { op: 'create', key, spec: { name, revoked: false, ...expires } },
        auditOperation({ eventType: 'create', key: { ...key, id: name } }, caller, now),
      ]);
      return { id: key.id, joinUrl: joinUrlOf(fleet, key.id) };
    }),

    revokeJoinToken: unary(options, async ({ id }: RevokeJoinTokenRequest, { caller }) => {
      const key = { ...kindOf(joinTokens), id };
      const token = id === '' ? undefined : await state.get(key);
      if (token === undefined) throw new FleetError('ERR_FLEET_NOT_FOUND', 'there is no such join token');
      const spec = token.spec as JoinTokenSpec;
      await state.transaction([
        { op: 'update', key, spec: { ...spec, revoked: true }, version: token.metadata.version },
        auditOperation(
          { eventType: 'update', key: { ...key, id: spec.name }, detail: 'revoked' },
          caller,
          clock.now(),
        ),
      ]);
      return {};
    }),

    getMachineJoinConfig: unary(options, async ({ tokenId }: GetMachineJoinConfigRequest) => {
      const id = tokenId === '' ? await defaultToken(fleet) : tokenId;
      const token = await state.get({ ...kindOf(joinTokens), id });
      const verdict = token === undefined ? 'unknown' : verdictOf(token.spec as JoinTokenSpec, clock.now());
      if (verdict !== 'valid')
        throw new FleetError('ERR_FLEET_STATE', `no machine can join by this token: it is ${verdict}`);
      const joinUrl = joinUrlOf(fleet, id);
      const config = `apiVersion: v1alpha1\nkind: LinkAgentConfig\napiUrl: ${JSON.stringify(joinUrl)}\n`;
      return { joinUrl, config, kernelArgs: [`${kernelArgument.link}=${joinUrl}`] };
    }),
  };
}

async function defaultToken({ state }: Fleet): Promise<string> {
  const named = await state.get(defaultTokenKey);
  if (named === undefined) throw new FleetError('ERR_FLEET_STATE', 'there is no default join token');
  return (named.spec as DefaultJoinTokenSpec).tokenId;
}

function joinUrlOf({ configuration: { advertisedUrl }, fleetCa }: Fleet, token: string): string {
  const { hostname, port } = advertisedUrl;
  return formatJoinUrl({
    host: hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: port === '' ? 443 : Number(port),
    token,
    ...(fleetCa !== undefined && { fleetCa }),
  });
}

function checkedName(name: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is refused
  if (name.length >= 1 && name.length <= maxName && !/[\u0000-\u001f\u007f]/u.test(name)) return name;
  throw new FleetError(
    'ERR_FLEET_REQUEST',
    `a name has 1 to ${maxName} characters, none of them for control`,
  );
}

function timeOf(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new FleetError('ERR_FLEET_REQUEST', 'the lifetime is too long');
  return date.toISOString();
}
