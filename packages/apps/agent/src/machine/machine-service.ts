import { arch, hostname, release } from 'node:os';

import {
  type ApplyConfigurationRequest,
  type ApplyConfigurationResponseInit,
  ApplyMode as WireMode,
  type MachineServiceHandlers,
  type MountsResponseInit,
  type VersionResponseInit,
} from '@nodecore/api/machine';

import { releaseVersion } from '@nodecore/sys';

import type { Configurator } from '../configuration/configurator.ts';
import type { ApplyMode, ApplyRequest } from '../configuration/request.ts';
import { taggedImageVersion } from '../image/os-release.ts';
import { decodeAndWipe } from '../persistence/secret-text.ts';
import { audited } from '../server/audit.ts';
import { accessOf } from './access.ts';
import { appliedWithEvents } from './applied-with-events.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Caller } from '../server/caller.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';
import { MountTable } from './mount-table.ts';

/** The node as a whole. @param osRelease of the image, where one runs. */
export function machineService(
  configurator: Configurator,
  options: HandlerOptions,
  osRelease?: string,
  events?: Pick<EventLog, 'emit' | 'as'>,
): Pick<MachineServiceHandlers, 'applyConfiguration' | 'version' | 'access' | 'mounts'> {
  const mountTable = new MountTable();
  return {
    applyConfiguration: unary(options, (request: ApplyConfigurationRequest, context: CallContext) => {
      const mode = modeOf(request.mode);
      const note = audited(options.log, context, {
        action: 'apply-configuration',
        mode,
        dryRun: request.dryRun,
      });
      const work = (): Promise<ApplyConfigurationResponseInit> =>
        apply(configurator, request, context.caller);
      return note.of(events === undefined || request.dryRun ? work() : appliedWithEvents(events, work));
    }),
    version: unary(options, () => version(configurator.active === undefined, osRelease)),
    access: unary(options, async (_request: unknown, { caller }: CallContext) => accessOf(caller)),
    mounts: unary(options, async (): Promise<MountsResponseInit> => ({ mounts: await mountTable.read() })),
  };
}

/** Not interrupted when the caller goes: a configuration is applied or refused as a whole. */
async function apply(
  configurator: Configurator,
  wire: ApplyConfigurationRequest,
  caller: Caller,
): Promise<ApplyConfigurationResponseInit> {
  const request: ApplyRequest = {
    text: decodeAndWipe(wire.data),
    mode: modeOf(wire.mode),
    dryRun: wire.dryRun,
    anonymous: caller.maintenance,
    ...(wire.tryTimeoutMillis > 0 && { tryTimeoutMs: wire.tryTimeoutMillis }),
    ...(wire.expectedVersion !== undefined && { expectedVersion: Number(wire.expectedVersion) }),
  };
  const { warnings, mode, details, diff, durable, version } = await configurator.apply(request);
  return {
    warnings,
    mode: wireModes[mode],
    modeDetails: details,
    diff,
    durable,
    version: BigInt(version),
  };
}

const wireModes: Readonly<Record<ApplyMode, WireMode>> = {
  auto: WireMode.NO_REBOOT, // what auto comes to: nothing here takes a reboot
  'no-reboot': WireMode.NO_REBOOT,
  staged: WireMode.STAGED,
  try: WireMode.TRY,
};

function modeOf(mode: WireMode): ApplyMode {
  switch (mode) {
    case WireMode.UNSPECIFIED:
    case WireMode.AUTO:
      return 'auto';
    case WireMode.NO_REBOOT:
      return 'no-reboot';
    case WireMode.STAGED:
      return 'staged';
    case WireMode.TRY:
      return 'try';
    default: // a number that a newer client knows
      throw new ServerError('ERR_SERVER_REQUEST', `mode ${String(mode)} is not known`);
  }
}

async function version(maintenance: boolean, osRelease?: string): Promise<VersionResponseInit> {
  const ofImage = osRelease === undefined ? undefined : await taggedImageVersion(osRelease);
  return {
    hostname: hostname(),
    version: ofImage ?? releaseVersion,
    runtime: `node ${process.version}`,
    os: process.platform,
    arch: arch(),
    kernel: release(),
    maintenance,
  };
}
