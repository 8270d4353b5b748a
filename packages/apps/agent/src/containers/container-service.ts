import type { ContainerServiceHandlers } from '@nodecore/api/container';

import { collecting, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import { noContainerRuntime } from '../services/errors.ts';

const refuse = (): Promise<never> => Promise.reject(noContainerRuntime());

const refuseStream = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: refuse }),
});

/** Containers of a node that runs none: every call is refused, and says why. */
export function containerHandlers(options: HandlerOptions): ContainerServiceHandlers {
  return {
    containers: unary(options, refuse),
    containerStats: unary(options, refuse),
    imageList: streaming(options, refuseStream),
    imagePull: streaming(options, refuseStream),
    imageImport: collecting(options, refuse),
    imageRemove: unary(options, refuse),
  };
}
