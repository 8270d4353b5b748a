import { type Feature, feature } from '../supervisor/feature.ts';
import { InstallRequests } from './requests.ts';

/** The configuration that waits for its machine to be installed. */
export const installRequests: Feature<InstallRequests> = feature({
  name: 'install-requests',
  make: () => {
    const handle = new InstallRequests();
    return { handle, dispose: () => handle[Symbol.dispose]() };
  },
});
