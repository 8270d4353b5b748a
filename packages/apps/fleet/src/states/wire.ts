import { decodeSpec, encodeSpec } from '@nodecore/api';
import {
  EventType,
  type EventInit,
  type LabelTerm,
  Phase,
  type Resource as WireResource,
  type ResourceInit,
} from '@nodecore/fleet-api/protocol';
import type { Json, Query, Resource, StateEvent } from '@nodecore/state';

import { FleetError } from '../errors.ts';

/** A resource as it is sent. */
export function wireResource({ metadata, spec }: Resource): ResourceInit {
  const { namespace, type, id, version, owner, phase, createdMs, updatedMs, labels } = metadata;
  return {
    metadata: {
      namespace,
      type,
      id,
      version: BigInt(version),
      owner,
      phase: phase === 'running' ? Phase.RUNNING : Phase.TEARING_DOWN,
      createdMillis: BigInt(createdMs),
      updatedMillis: BigInt(updatedMs),
      labels,
      annotations: metadata.annotations,
      finalizers: metadata.finalizers,
    },
    spec: encodeSpec(spec),
  };
}

const eventTypes = {
  created: EventType.CREATED,
  updated: EventType.UPDATED,
  destroyed: EventType.DESTROYED,
  bootstrapped: EventType.BOOTSTRAPPED,
} as const;

/** An event as it is sent. */
export function wireEvent(epoch: string, event: StateEvent): EventInit {
  return {
    type: eventTypes[event.type],
    bookmark: { epoch, revision: BigInt(event.revision) },
    ...('resource' in event && { resource: wireResource(event.resource) }),
  };
}

/** The query of the label terms of a request; undefined without any. */
export function queryOf(terms: readonly LabelTerm[]): Query | undefined {
  if (terms.length === 0) return undefined;
  return {
    labels: terms.map(({ label, values, not }) =>
      values.length === 0 ? { label, not, exists: true } : { label, not, in: values },
    ),
  };
}

/** What a client wants to be written. @throws {FleetError} `ERR_FLEET_REQUEST` for a spec that is no JSON object. */
export function wantedOf(resource: WireResource | undefined): {
  readonly metadata: NonNullable<WireResource['metadata']>;
  readonly spec: Json;
} {
  const metadata = resource?.metadata;
  if (resource === undefined || metadata === undefined)
    throw new FleetError('ERR_FLEET_REQUEST', 'the request has no resource');
  let spec: unknown;
  try {
    spec = decodeSpec(resource.spec);
  } catch {
    throw new FleetError('ERR_FLEET_REQUEST', 'the spec is no JSON');
  }
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec))
    throw new FleetError('ERR_FLEET_REQUEST', 'the spec is no JSON object');
  return { metadata, spec: spec as Json };
}
