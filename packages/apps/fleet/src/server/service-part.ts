import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';

/** Some or all methods of a service. */
export type ServicePart = {
  readonly definition: ServiceDefinition;
  readonly handlers: UntypedServiceImplementation;
};

/** Handlers for some methods of a service. */
export function servicePart<Handlers extends object>(
  definition: ServiceDefinition<Handlers>,
  handlers: Partial<Handlers>,
): ServicePart {
  return { definition, handlers: handlers as UntypedServiceImplementation };
}
