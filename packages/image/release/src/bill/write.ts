import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import {
  type Component,
  debianComponent,
  formatSpdx,
  formatVex,
  genericComponent,
  readDpkgStatus,
} from '@nodecore/sbom';
import {
  billFile,
  extensionBillFile,
  type ReleaseExtension,
  statementsFile,
} from '@nodecore/schematic/release';
import { codeOf, makeDirectory } from '@nodecore/sys';

import { componentsOf, type Sources } from './components.ts';
import { distributionHere } from './distribution.ts';
import { releaseStatements } from './statements.ts';

export type Bills = Sources & {
  readonly version: string;
  /** When the sources were committed. */
  readonly created: string;
  /** Where extensions were taken from, and what they say of themselves. */
  readonly extensions: readonly string[];
  readonly taken: Readonly<Record<string, ReleaseExtension>>;
};

/** Beside the manifest of an extension: the paragraphs of dpkg's list of the packages that it is made of. */
const packagesName = 'dpkg-status';

/**
 * Writes what a release is made of, and each extension, and what is said of vulnerabilities of it.
 *
 * @param directory of the release.
 * @returns the paths in the release.
 * @throws {BuildError} `ERR_BUILD_CONTENT` with what is of nobody.
 */
export async function writeBills(directory: string, bills: Bills): Promise<readonly string[]> {
  const { version, created, architecture, extensions, taken } = bills;
  const written: string[] = [];
  const put = async (path: string, text: string): Promise<void> => {
    await makeDirectory(dirname(join(directory, path)), { mode: 0o755 });
    await writeFile(join(directory, path), text);
    written.push(path);
  };
  const product = genericComponent('nodeos', version, 'Apache-2.0');
  const bill = (name: string, part: Component, components: readonly Component[]): string =>
    formatSpdx({
      name: `${name}-${version}-${architecture}`,
      namespace: `urn:nodecore:spdx:${version}:${architecture}:${name}`,
      created,
      product,
      contents: [{ part, components }],
    });
  const base = genericComponent('base', version);
  await put(billFile(architecture), bill('nodeos', base, await componentsOf(bills)));
  for (const [name, about] of Object.entries(taken)) {
    const part = genericComponent(name, about.version);
    const components = (await Promise.all(extensions.map((each) => packagesOf(join(each, name))))).flat();
    await put(`${architecture}/${extensionBillFile(name)}`, bill(name, part, components));
  }
  await put(statementsFile, formatVex(releaseStatements({ ...product.purl, version }, version, created)));
  return written;
}

/** An extension whose maker has not said what it is made of is a component without any. */
async function packagesOf(directory: string): Promise<readonly Component[]> {
  try {
    const packages = readDpkgStatus(await readFile(join(directory, packagesName), 'utf8'));
    const distribution = await distributionHere();
    return packages.map((each) => debianComponent({ ...each, distribution }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
