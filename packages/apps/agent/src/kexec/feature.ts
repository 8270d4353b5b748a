import { readFile } from 'node:fs/promises';
import { arch } from 'node:process';
import { join } from 'node:path';

import { configuration } from '../configuration/feature.ts';
import { discovery } from '../discovery/feature.ts';
import { lifecycle } from '../lifecycle/feature.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { loaderFacts } from '../upgrades/boot-partition.ts';
import { bootMenu } from '../upgrades/menu-feature.ts';
import { enforcesSignatures } from '../upgrades/prove-uki.ts';
import { startedBy } from './command-line.ts';
import { firmwareWish, stubAddition } from './firmware-wishes.ts';
import { Kexec } from './kexec.ts';
import { loadKernel } from './loaded-kernel.ts';
import { markController } from './mark-controller.ts';
import { kernelObstacle, obstacleOf, type Surroundings } from './obstacles.ts';
import { hasTpm, sealedVolume } from './sealed-volumes.ts';

/** A reboot past the firmware, where it is proven that the machine comes up as the firmware would start it. */
export const kexec: Feature<undefined> = feature({
  name: 'kexec',
  needs: { node, bootMenu, configuration, discovery, lifecycle, persistence },
  make: ({ node: { options, log, runDirectory }, bootMenu: menu, lifecycle: life, ...needs }) => {
    const { image, init } = options;
    if (image === undefined || init === undefined) return { handle: undefined };
    const { persistence: state, discovery: inventory, configuration: configurator } = needs;
    const meta = () => (state.isOwnMachine ? state.volume.meta : undefined);
    const runningLine = (): Promise<string> => readFile(image.kernelCommandLine, 'utf8');
    const around: Surroundings = {
      processor: arch,
      kernel: () => kernelObstacle(),
      secureBoot: () => enforcesSignatures(),
      loader: () => loaderFacts(),
      wish: () => firmwareWish(),
      hasTpm: () => hasTpm(),
      inventory: () => inventory.value,
      configuration: () => configurator.active?.configuration,
      sealedVolume,
    };
    const direct = new Kexec({
      log,
      menu,
      meta,
      obstacle: () => obstacleOf(around),
      addition: stubAddition,
      runningLine,
      load: (next, signal) => loadKernel(next, join(runDirectory, 'kexec'), signal),
    });
    life.offer(direct);
    const by = async (): Promise<'firmware' | 'kexec'> => startedBy(await runningLine());
    return {
      handle: undefined,
      controllers: [
        markController({ log, meta, startedBy: by, remember: (signal) => direct.remember(signal) }),
      ],
    };
  },
});
