import { readFile } from 'node:fs/promises';

import { licenseOfCopyright } from '@nodecore/sbom';
import { codeOf } from '@nodecore/sys';

/** The licence of a package that is installed here; undefined where nobody says it in a form for programs, or its documentation was left out. */
export async function licenseHere(name: string): Promise<string | undefined> {
  try {
    return licenseOfCopyright(await readFile(`/usr/share/doc/${name}/copyright`, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
