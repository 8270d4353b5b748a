import { CaptureService } from '@nodecore/api/capture';

import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { servicePart } from '../server/service-part.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { CaptureDirectory } from './capture-directory.ts';
import { captureService } from './capture-service.ts';
import { Captures } from './captures.ts';

/** Packets of the node's interfaces. Files lie beside the rest of what the node keeps: on a machine of its own, on STATE. */
export const captures: Feature<Captures> = feature({
  name: 'captures',
  needs: { node, persistence },
  make: ({ node: { log, clock, address }, persistence: state }) => {
    const directory = new CaptureDirectory(() => state.path('captures'));
    const handle = new Captures({ log, clock, directory, apiPort: () => address().port });
    return {
      handle,
      services: (calls) => [servicePart(CaptureService, captureService(handle, calls))],
    };
  },
});
