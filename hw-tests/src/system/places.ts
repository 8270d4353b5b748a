import { join } from 'node:path';

import { cacheDirectory } from '../paths.ts';

/** The release that the cluster begins with. */
export const first = 'v1.14.0-alpha.0';
/** The one that it is upgraded to. */
export const second = 'v1.14.0-alpha.1';
/** Also the name of its context. */
export const clusterName = 'system';
/** How often is asked again, in milliseconds. */
export const pollMs = 2000;

/** Where the thread keeps what it makes: keys and images stay for the next run, all else is made anew. */
export const systemDirectory: string = join(cacheDirectory, 'system');

/** Where the services are, on loopback of the host, and what they serve. */
export type ServicePlaces = {
  /** For their state, keys and logs. */
  readonly directory: string;
  readonly releases: string;
  /** Under which address nodes reach loopback of the host. */
  readonly gateway: string;
  readonly fleetPort: number;
  readonly factoryPort: number;
};

/** Those of the thread. */
export const systemPlaces: ServicePlaces = {
  directory: systemDirectory,
  releases: join(cacheDirectory, 'releases'),
  gateway: '10.5.0.1',
  fleetPort: 8080,
  factoryPort: 8081,
};
