import type { FleetDefinition } from '@nodecore/fleet-api';
import { Runtime } from '@nodecore/runtime';
import { memoryState } from '@nodecore/state';
import { type Clock, systemClock } from '@nodecore/waiting';
import type { SocketAddress } from '@nodecore/sys';

import type { FleetConfiguration } from './configuration.ts';
import { FleetError } from './errors.ts';
import type { Feature, FeatureLife, Fleet } from './feature.ts';
import { features as everyFeature } from './features.ts';
import type { Log } from './log.ts';
import { authenticator } from './access/authenticate.ts';
import { Front } from './server/front.ts';
import { GrpcServer } from './server/grpc-server.ts';
import { Callers, guard } from './server/guard.ts';
import type { HandlerOptions } from './server/handlers.ts';
import { serverIdentity } from './server/own-certificate.ts';
import { pagesServer } from './server/pages.ts';
import { WebServer } from './server/web-server.ts';
import { openState } from './state-file.ts';

export type FleetOptions = {
  readonly configuration: FleetConfiguration;
  readonly log: Log;
  /** In place of those that the product has; for tests. */
  readonly features?: readonly Feature[];
  readonly clock?: Clock;
  /** Takes lines for the console; default: standard output. */
  readonly announce?: (line: string) => void;
};

/** A fleet manager that serves. Its owner disposes it. */
export type RunningFleet = AsyncDisposable & {
  /** Where it listens. */
  readonly address: SocketAddress;
  /** What machines pin, hexadecimal; undefined where public authorities vouch for the server. */
  readonly fleetCa: string | undefined;
  /** PEM of who vouches for the server. */
  readonly authority: string;
};

/**
 * Starts a fleet manager in this process: opens the state, makes the features, then the port.
 *
 * @throws {FleetError} `ERR_FLEET_SETUP`, or what the state says; nothing is left open.
 * @example
 * await using fleet = await startFleet({ configuration, log });
 * console.log(fleet.address.port);
 */
export async function startFleet(options: FleetOptions): Promise<RunningFleet> {
  const { configuration, log, features = everyFeature, clock = systemClock, announce = toConsole } = options;
  await using opened = new AsyncDisposableStack();
  const definitions: readonly FleetDefinition[] = features.flatMap((feature) => feature.definitions);
  const state = opened.use(await openState({ configuration, definitions, clock, log }));
  const reasons = opened.use(memoryState());
  const identity = await serverIdentity(configuration);
  using _key = identity.key;
  const closing = new AbortController();
  const { fleetCa, authority } = identity;
  const fleet: Fleet = {
    state,
    definitions,
    configuration,
    fleetCa,
    log,
    announce,
    clock,
    closing: closing.signal,
  };
  const lives = features.map((feature) => feature.make(fleet));
  for (const { close } of lives) if (close !== undefined) opened.defer(close);
  for (const { prepare } of lives) await prepare?.();

  const running = runControllers(
    lives,
    new Runtime({ state, reasons, clock, failed: tell(log) }),
    closing.signal,
  );
  opened.defer(async () => await running);
  const stop = (): void => closing.abort(new FleetError('ERR_FLEET_STOPPING', 'the fleet manager ends'));
  opened.defer(stop); // also when the start fails from here on
  const callers = new Callers();
  const calls: HandlerOptions = { log, callerOf: (call) => callers.of(call), stopping: closing.signal };
  const parts = lives.flatMap(({ services }) => services?.(calls) ?? []);
  const authenticate = authenticator({ state, clock });
  const grpc = new GrpcServer(parts, guard({ authenticate, callers, log }));
  const http = new WebServer(pagesServer(lives, log));
  const front = opened.use(
    await Front.listen({
      listen: configuration.listen,
      crt: identity.crt,
      key: identity.key,
      clientAuthority: authority,
      protocols: {
        named: Object.assign({}, ...lives.map(({ protocols }) => protocols ?? {})) as never,
        grpc: (socket) => grpc.accept(socket),
        http: (socket) => http.accept(socket),
      },
      log,
    }),
  );
  opened.use(grpc);
  opened.defer(() => {
    front.stop();
    stop(); // streams end with that reason, and calls that run get their answer
  });
  const owned = opened.move();
  return {
    address: front.address,
    fleetCa,
    authority,
    [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
  };
}

function toConsole(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runControllers(
  lives: readonly FeatureLife[],
  runtime: Runtime,
  signal: AbortSignal,
): Promise<void> {
  for (const { controllers = [] } of lives)
    for (const controller of controllers) runtime.register(controller);
  await runtime.run(signal);
}

function tell(log: Log): (failure: { name: string; item: string | undefined; error: unknown }) => void {
  return ({ name, item, error }) => log.warn({ controller: name, item, err: error }, 'controller failed');
}
