import type { Kind } from '@nodecore/state';

import type { Controller } from './controller.ts';
import type { InputStrength, Output } from './declaration.ts';

/** One edge of the graph: a controller reads or writes a kind of resource, or one resource of it. */
export type Dependency = Kind & {
  readonly controller: string;
  /** Absent: all of the kind. */
  readonly id?: string;
} & (
    | { readonly direction: 'input'; readonly strength: InputStrength }
    | { readonly direction: 'output'; readonly mode: Output['mode'] }
  );

/** The graph of controllers and the kinds that they meet in, in the order of registration. */
export function dependenciesOf(controllers: readonly Controller[]): Dependency[] {
  return controllers.flatMap(({ name: controller, inputs, outputs }) => [
    ...inputs.map(({ namespace, type, id, strength }): Dependency => {
      const kind = { controller, namespace, type, direction: 'input', strength } as const;
      return id === undefined ? kind : { ...kind, id };
    }),
    ...outputs.map(({ namespace, type, mode }): Dependency => ({
      controller,
      namespace,
      type,
      direction: 'output',
      mode,
    })),
  ]);
}
