import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';

import type { FleetDefinition } from '@nodecore/fleet-api';
import type { Controller } from '@nodecore/runtime';
import type { State } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import type { FleetConfiguration } from './configuration.ts';
import type { Log } from './log.ts';
import type { HandlerOptions } from './server/handlers.ts';
import type { ServicePart } from './server/service-part.ts';

/** What every feature is made with. Features meet in the state, never by calls. */
export type Fleet = {
  /** Resources; see `@nodecore/fleet-api` for their types. */
  readonly state: State;
  /** Every type of every feature. */
  readonly definitions: readonly FleetDefinition[];
  readonly configuration: FleetConfiguration;
  /** SHA-256 of the authority's certificate, which machines pin; undefined where public authorities vouch for the server. */
  readonly fleetCa: string | undefined;
  readonly log: Log;
  /** A line for the console alone: it may have a code. Never goes to the log. */
  readonly announce: (line: string) => void;
  readonly clock: Clock;
  /** Fires when the fleet manager ends. */
  readonly closing: AbortSignal;
};

/** What a feature is while the fleet manager runs. Nothing is called before every feature is made. */
export type FeatureLife = {
  /** gRPC handlers; several features may serve one service, and a method that none serves is UNIMPLEMENTED. */
  readonly services?: (options: HandlerOptions) => readonly ServicePart[];
  /** Registered with the runtime before it runs. */
  readonly controllers?: readonly Controller[];
  /** Protocols of its own on the port, by their ALPN name. The feature owns the connection from then on. */
  readonly protocols?: Readonly<Record<string, (socket: TLSSocket) => void>>;
  /** Answers requests of browsers below a path, `/x`. Owns the response from then on. */
  readonly pages?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
  /** Done before the port is open; the start fails with it. */
  readonly prepare?: () => Promise<void>;
  /** Gives back what it has opened, when nobody can call any more. */
  readonly close?: () => Promise<void>;
};

/** One subject of the fleet manager, a folder of `src`. */
export type Feature = {
  readonly name: string;
  /** Types of its own. */
  readonly definitions: readonly FleetDefinition[];
  readonly make: (fleet: Fleet) => FeatureLife;
};
