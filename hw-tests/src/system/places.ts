import { join } from 'node:path';

import { cacheDirectory } from '../paths.ts';

/** The release that the cluster begins with. */
export const first = 'v1.14.0-alpha.0';
/** The one that it is upgraded to. */
export const second = 'v1.14.0-alpha.1';
/** Where nodes reach what listens on loopback of the host. */
export const gateway = '10.5.0.1';
/** The factory, from the host. */
export const factoryUrl = 'http://127.0.0.1:8081';
/** Also the name of its context. */
export const clusterName = 'system';
/** How often is asked again, in milliseconds. */
export const pollMs = 2000;

/** Where the thread keeps what it makes: keys and images stay for the next run, all else is made anew. */
export const systemDirectory: string = join(cacheDirectory, 'system');
