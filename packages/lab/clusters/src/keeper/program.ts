import { extname, join } from 'node:path';

import { packedProgram } from '@nodecore/sys/packed-program';

/** Where `scripts/setup` puts the keeper of a checkout in one file. */
const packDirectory = join(import.meta.dirname, '../../../../../.cache/cluster-keeper');

/** What Node.js is told to run as a keeper: one file where there is one of these very sources, as it starts in less than half of the time. */
export function keeperProgram(directory: string = packDirectory): readonly string[] {
  const extension = extname(import.meta.filename);
  const main = join(import.meta.dirname, `main${extension}`);
  if (extension !== '.ts') return [main]; // of an installed package
  return ['--conditions=source', packedProgram(directory) ?? main];
}
