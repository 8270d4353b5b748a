import { type Role, roles as knownRoles } from '@nodecore/api';
import type {
  GenerateClientConfigurationRequest,
  GenerateClientConfigurationResponseInit,
  MachineServiceHandlers,
} from '@nodecore/api/machine';
import { PkiError, signClientCSR, userLifetimeMs } from '@nodecore/pki';

import { issuingAuthority } from '../certificates/node-certificate.ts';
import type { Configurator } from '../configuration/configurator.ts';
import { audited } from '../server/audit.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';

/** Certificates of people are not forever: a role that was given too widely ends by itself. */
const longestMs = 10 * userLifetimeMs;

/** New administrators and readers, by the authority of the machine. */
export function clientConfigurationHandlers(
  configurator: Pick<Configurator, 'active'>,
  options: HandlerOptions,
): Pick<MachineServiceHandlers, 'generateClientConfiguration'> {
  return {
    generateClientConfiguration: unary(
      options,
      (request: GenerateClientConfigurationRequest, context: CallContext) => {
        const { roles } = request;
        const lifetimeMs = Number(request.ttlMillis) || userLifetimeMs;
        const action = { action: 'issue-client', roles, lifetimeMs } as const;
        return audited(options.log, context, action).of(issue(configurator, request, lifetimeMs));
      },
    ),
  };
}

async function issue(
  { active }: Pick<Configurator, 'active'>,
  { roles, csr }: GenerateClientConfigurationRequest,
  lifetimeMs: number,
): Promise<GenerateClientConfigurationResponseInit> {
  if (roles.length === 0) throw new ServerError('ERR_SERVER_REQUEST', 'roles: there is none');
  const unknown = roles.find((role) => !knownRoles.includes(role as Role));
  if (unknown !== undefined)
    throw new ServerError(
      'ERR_SERVER_REQUEST',
      `roles: ${JSON.stringify(unknown)} is none of ${knownRoles.join(', ')}`,
    );
  if (lifetimeMs > longestMs)
    throw new ServerError('ERR_SERVER_REQUEST', 'ttl_millis: a certificate is valid for ten years at most');
  const machine = active?.configuration.machine;
  const ca = machine === undefined ? undefined : issuingAuthority(machine);
  if (machine === undefined || ca === undefined)
    throw new ServerError(
      'ERR_SERVER_NO_CONTROL_PLANE',
      'only a control plane issues certificates of clients',
    );
  try {
    const crt = await signClientCSR(ca, csr, { roles: [...new Set(roles)], lifetimeMs });
    return { ca: ca.crt, crt, clusterName: machine.cluster.clusterName ?? '' };
  } catch (error) {
    if (error instanceof PkiError && error.code === 'ERR_PKI_REQUEST')
      throw new ServerError('ERR_SERVER_REQUEST', `csr: ${error.message}`, { cause: error });
    throw error;
  }
}
