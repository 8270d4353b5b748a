import { accounts } from './accounts/feature.ts';
import { factories } from './factories/feature.ts';
import type { Feature } from './feature.ts';
import { links } from './links/feature.ts';
import { states } from './states/feature.ts';
import { tokens } from './tokens/feature.ts';
import { web } from './web/feature.ts';

/** What the fleet manager is made of. Features are made and prepared from the top to the bottom, and end from the bottom to the top. */
export const features: readonly Feature[] = [states, accounts, tokens, links, factories, web];
