import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';

import type { HandlerOptions } from './handlers.ts';

/** What handlers are made with. */
export type ServiceOptions = HandlerOptions & {
  /** Ends with the server itself; streams that outlive a reset of the node end with it. */
  readonly closing: AbortSignal;
};

/** Some or all methods of a service: several features may serve one. */
export type ServicePart = {
  readonly definition: ServiceDefinition;
  readonly handlers: UntypedServiceImplementation;
};

/** Handlers for some methods of a service. */
export function servicePart<Handlers extends object>(
  definition: ServiceDefinition<Handlers>,
  handlers: Partial<Handlers>,
): ServicePart {
  return {
    definition,
    handlers: handlers as UntypedServiceImplementation,
  };
}

/** Makes one implementation of each service. @throws {TypeError} for a method with no handler, or with two. */
export function wholeServices(
  parts: readonly ServicePart[],
): ReadonlyMap<ServiceDefinition, UntypedServiceImplementation> {
  const whole = new Map<ServiceDefinition, UntypedServiceImplementation>();
  for (const { definition, handlers } of parts) {
    const before = whole.get(definition) ?? {};
    const twice = Object.keys(handlers).find((name) => Object.hasOwn(before, name));
    if (twice !== undefined) throw new TypeError(`two features serve ${definition[twice]?.path}`);
    whole.set(definition, { ...before, ...handlers });
  }
  for (const [definition, handlers] of whole) {
    const missing = Object.entries(definition).find(([name]) => !Object.hasOwn(handlers, name));
    if (missing !== undefined) throw new TypeError(`nobody serves ${missing[1].path}`);
  }
  return whole;
}
