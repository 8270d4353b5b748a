import {
  type Bill,
  type Component,
  type Contents,
  formatCycloneDx,
  formatSpdx,
  genericComponent,
  readSpdx,
  readVex,
  type Scan,
  scan,
  type Upgrades,
  upgrades,
  type VexDocument,
} from '@nodecore/sbom';
import { type Architecture, compareVersions } from '@nodecore/schematic/release';
import type { View } from '@nodecore/view';

import type { KnownSchematic } from '../assets/images.ts';
import { FactoryError } from '../errors.ts';
import { Once } from '../once.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Releases } from '../releases/releases.ts';
import type { Vulnerabilities } from './vulnerabilities.ts';

/** An image, as far as it matters what it is made of. Whose the schematic is was asked before. */
export type Reported = {
  readonly schematic: KnownSchematic;
  readonly release: LoadedRelease;
  readonly architecture: Architecture;
};

/** The contents of many schematics are the same: only their extensions count. */
const keptContents = 64;
const keptScans = 64;

/** What images are made of, and what is known to be wrong with that. */
export class Reports {
  readonly #releases: Releases;
  readonly #externalUrl: string;
  readonly #vulnerabilities: Vulnerabilities | undefined;
  readonly #contents = new Once<readonly Contents[]>(keptContents);
  readonly #scans = new Once<Scan>(keptScans);

  constructor(options: {
    readonly releases: Releases;
    readonly externalUrl: string;
    readonly vulnerabilities: Vulnerabilities | undefined;
  }) {
    this.#releases = options.releases;
    this.#externalUrl = options.externalUrl;
    this.#vulnerabilities = options.vulnerabilities;
  }

  /** Whether a scan would find data, where there is to be any. */
  get isReady(): boolean {
    return this.#vulnerabilities === undefined || this.#vulnerabilities.facts !== undefined;
  }

  /**
   * The document of an image in SPDX 2.3.
   *
   * @throws {FactoryError} with `ERR_FACTORY_UNSUPPORTED` for a release that does not say what it is made of.
   */
  async spdx(reported: Reported): Promise<string> {
    return formatSpdx(await this.#billOf(reported, 'spdx'));
  }

  /**
   * The same in CycloneDX 1.6.
   *
   * @throws {FactoryError} as {@link spdx}.
   */
  async cycloneDx(reported: Reported): Promise<string> {
    return formatCycloneDx(await this.#billOf(reported, 'cyclonedx'));
  }

  /**
   * What is said of vulnerabilities in a release, as the release has it.
   *
   * @throws {FactoryError} with `ERR_FACTORY_UNSUPPORTED` for a release that says nothing.
   */
  async vex(release: LoadedRelease): Promise<string> {
    const found = release.statements;
    if (found === undefined) throw unsupported(release, 'says nothing of vulnerabilities');
    return await textOf(found);
  }

  /**
   * What is known to be wrong with an image. It is kept for as long as the database is the same.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SCAN_DATA` while nothing is known, `ERR_FACTORY_UNSUPPORTED` as {@link spdx}.
   */
  async scan(reported: Reported): Promise<Scan> {
    const vulnerabilities = this.#known();
    const { release } = reported;
    const contents = await this.#contentsOf(reported);
    return await vulnerabilities.use((database) =>
      this.#scans.get(`${vulnerabilities.generation} ${keyOf(reported)}`, async () => {
        const components = contents.flatMap((each) => [each.part, ...each.components]);
        return await scan(productOf(release), components, { database, vex: await vexOf(release) });
      }),
    );
  }

  /**
   * What each newer release would change for the schematic. Releases that are broken, have none of its extensions, or don't say what they
   * are made of are left out.
   *
   * @throws {FactoryError} as {@link scan}.
   */
  async upgrades(reported: Reported): Promise<Upgrades> {
    const { schematic, release, architecture } = reported;
    const from = await this.scan(reported);
    const newer = new Map<string, Scan>();
    for (const version of this.#releases.offered) {
      if (compareVersions(version, release.version) <= 0) continue;
      const candidate = { schematic, release: this.#releases.get(version), architecture };
      if (canBe(candidate)) newer.set(version, await this.scan(candidate));
    }
    return upgrades(release.version, from, newer);
  }

  #known(): Vulnerabilities {
    if (this.#vulnerabilities !== undefined) return this.#vulnerabilities;
    throw new FactoryError(
      'ERR_FACTORY_SCAN_DATA',
      'this factory has no lists of vulnerabilities: enterprise.scanner.databaseURL names them',
    );
  }

  /** @param form the first word of the document's path. */
  async #billOf(reported: Reported, form: 'spdx' | 'cyclonedx'): Promise<Bill> {
    const { schematic, release, architecture } = reported;
    return {
      name: `nodeos-${schematic.id}-${release.version}-${architecture}`,
      namespace: `${this.#externalUrl}/${form}/${schematic.id}/${release.version}/${architecture}`,
      created: release.release.created,
      product: productOf(release),
      contents: await this.#contentsOf(reported),
    };
  }

  async #contentsOf(reported: Reported): Promise<readonly Contents[]> {
    return await this.#contents.get(keyOf(reported), async () => {
      const { release, architecture } = reported;
      const base = release.bill(architecture);
      if (base === undefined) throw unsupported(release, 'does not say what it is made of');
      const found = await contentsOf(base, `${release.version}/${architecture}`);
      const all = [...found];
      for (const { name, about, bill } of release.extensionsNamed(architecture, extensionsOf(reported))) {
        if (bill !== undefined) all.push(...(await contentsOf(bill, `${release.version}/${name}`)));
        else all.push({ part: genericComponent(name, about.version), components: [] });
      }
      return all;
    });
  }
}

function productOf({ version }: LoadedRelease): Component {
  return genericComponent('nodeos', version, 'Apache-2.0');
}

function extensionsOf({ schematic }: Pick<Reported, 'schematic'>): readonly string[] {
  return schematic.schematic.customization?.systemExtensions?.officialExtensions ?? [];
}

/** Everything that contents depend on. */
function keyOf(reported: Reported): string {
  const { release, architecture } = reported;
  return JSON.stringify([release.digest, architecture, extensionsOf(reported)]);
}

/** Whether a release is one that the schematic could be upgraded to, and that can be scanned. */
function canBe(reported: Reported): boolean {
  const { release, architecture } = reported;
  const has = (name: string): boolean => release.extensionName(architecture, name) !== undefined;
  return release.bill(architecture) !== undefined && extensionsOf(reported).every(has);
}

async function textOf(view: View): Promise<string> {
  return Buffer.from(await view.bytes()).toString();
}

async function contentsOf(view: View, name: string): Promise<readonly Contents[]> {
  return readSpdx(await textOf(view), name).contents;
}

async function vexOf({ statements, version }: LoadedRelease): Promise<VexDocument | undefined> {
  return statements && readVex(await textOf(statements), `${version}/vex.json`);
}

function unsupported({ version }: LoadedRelease, what: string): FactoryError {
  return new FactoryError('ERR_FACTORY_UNSUPPORTED', `${version} ${what}`);
}
