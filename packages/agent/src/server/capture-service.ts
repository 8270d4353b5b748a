import type {
  CaptureInterfacesResponseInit,
  CaptureRequest,
  CaptureServiceHandlers,
  StopCaptureRequest,
} from '@nodecore/api';

import type { Captures } from '../captures/captures.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from './handlers.ts';

/** Packets of the node's interfaces. */
export function captureService(captures: Captures, options: HandlerOptions): CaptureServiceHandlers {
  return {
    capture: streaming(options, (request: CaptureRequest, context: CallContext) =>
      captures.run(request, context),
    ),

    stop: unary(options, async ({ id }: StopCaptureRequest) => {
      captures.stop(id);
      return {};
    }),

    interfaces: unary(options, async (): Promise<CaptureInterfacesResponseInit> => {
      return { interfaces: [...captures.interfaces()] };
    }),
  };
}
