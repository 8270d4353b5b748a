import type {
  CaptureFilesResponseInit,
  CaptureInterfacesResponseInit,
  CaptureRequest,
  CaptureServiceHandlers,
  ReadCaptureFileRequest,
  RemoveCaptureFileRequest,
  StopCaptureRequest,
} from '@nodecore/api/capture';

import type { Captures } from './captures.ts';
import {
  type CallContext,
  type HandlerOptions,
  streaming,
  streamingLarge,
  unary,
} from '../server/handlers.ts';

/** Packets of the node's interfaces. */
export function captureService(captures: Captures, options: HandlerOptions): CaptureServiceHandlers {
  return {
    capture: streamingLarge(options, (request: CaptureRequest, context: CallContext) =>
      captures.run(request, context),
    ),

    stop: unary(options, async ({ id }: StopCaptureRequest, context: CallContext) => {
      await captures.stop(id, context);
      return {};
    }),

    interfaces: unary(options, async (): Promise<CaptureInterfacesResponseInit> => {
      return { interfaces: [...captures.interfaces()] };
    }),

    files: unary(options, async (): Promise<CaptureFilesResponseInit> => {
      return { files: [...(await captures.files())] };
    }),

    readFile: streaming(options, async function* ({ name }: ReadCaptureFileRequest, context: CallContext) {
      for await (const data of captures.readFile(name, context)) yield { data };
    }),

    removeFile: unary(options, async ({ name }: RemoveCaptureFileRequest, context: CallContext) => {
      await captures.removeFile(name, context);
      return {};
    }),
  };
}
