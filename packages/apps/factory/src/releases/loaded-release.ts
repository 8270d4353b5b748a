import { createHash } from 'node:crypto';

import {
  type Architecture,
  type ArchitectureFile,
  type BiosFile,
  biosFiles,
  clientDirectory,
  billFile,
  clientNames,
  extensionBillFile,
  extensionFile,
  extensionModulesFile,
  modulesFile,
  type Release,
  type ReleaseExtension,
  statementsFile,
} from '@nodecore/schematic/release';
import { type View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import type { SignedRelease } from '../mirror/signed-release.ts';
import { nearest } from '../nearest.ts';

/** An extension of a release. */
export type ExtensionLayer = {
  readonly name: string;
  readonly about: ReleaseExtension;
  /** A squashfs. */
  readonly content: View;
  /** What it is made of, in SPDX 2.3, where the release says it. */
  readonly bill: View | undefined;
  /** A list of its kernel modules, where it has some. */
  readonly modules: View | undefined;
};

let loadings = 0;

/** A release whose signature and digests were found right. */
export class LoadedRelease {
  readonly release: Release;
  /** What was signed, and the signature. */
  readonly signed: SignedRelease;
  /** Hex SHA-256 of `release.json`: it has the digests of all files, so it stands for all of them. */
  readonly digest: string;
  /** Which loading it was of this process: views are of files as they lay there, also when the same bytes are put there again. */
  readonly loading: number;
  readonly #files: ReadonlyMap<string, View>;

  constructor(signed: SignedRelease, files: ReadonlyMap<string, View>) {
    this.release = signed.release;
    this.signed = signed;
    this.digest = createHash('sha256').update(signed.bytes).digest('hex');
    loadings += 1;
    this.loading = loadings;
    this.#files = files;
  }

  /** All files by their paths, as they were verified. */
  get files(): ReadonlyMap<string, View> {
    return this.#files;
  }

  get version(): string {
    return this.release.version;
  }

  get architectures(): readonly Architecture[] {
    return Object.keys(this.release.architectures) as Architecture[];
  }

  /** @throws {FactoryError} with `ERR_FACTORY_ARCHITECTURE` and the architectures that there are. */
  assertFor(architecture: Architecture): void {
    if (!this.architectures.includes(architecture)) this.#none(architecture);
  }

  /** As `uname -r` says it. */
  kernelVersion(architecture: Architecture): string {
    return this.release.architectures[architecture]?.kernelVersion ?? this.#none(architecture);
  }

  /** A file as it was verified; when it changes later, reads of it fail. */
  file(architecture: Architecture, name: ArchitectureFile): View {
    return this.#files.get(`${architecture}/${name}`) ?? this.#none(architecture);
  }

  /** Of a file, in hex, as it was signed. */
  sha256(architecture: Architecture, name: ArchitectureFile): string | undefined {
    return this.release.files[`${architecture}/${name}`]?.sha256;
  }

  /** Hex SHA-256 of each file, by where it lies. */
  get digests(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [name, { extents }] of this.#files)
      for (const extent of extents) {
        const facts = this.release.files[name];
        if (extent.kind === 'file' && facts !== undefined) found.set(extent.path, facts.sha256);
      }
    return found;
  }

  /** GRUB for machines with a BIOS; undefined in a release without. */
  grub(architecture: Architecture): Readonly<Record<BiosFile, View>> | undefined {
    const [core, boot] = biosFiles.map((name) => this.#files.get(`${architecture}/${name}`));
    return core && boot && { 'grub-core.img': core, 'grub-boot.img': boot };
  }

  /** File names of osctl, one for each system that it runs on. */
  get clients(): readonly string[] {
    return clientNames(this.release);
  }

  /**
   * osctl for one system, with its SHA-256 in hex.
   *
   * @throws {FactoryError} with `ERR_FACTORY_PATH` and the nearest names that there are.
   */
  client(name: string): { readonly view: View; readonly sha256: string } {
    const path = `${clientDirectory}/${name}`;
    const view = this.clients.includes(name) ? this.#files.get(path) : undefined;
    const facts = this.release.files[path];
    if (view === undefined || facts === undefined)
      throw new FactoryError('ERR_FACTORY_PATH', `${this.version} has no such osctl`, {
        nearest: nearest(name, this.clients),
      });
    return { view, sha256: facts.sha256 };
  }

  /** A list of the kernel modules of the base, in a release where extensions have some, too. */
  modules(architecture: Architecture): View | undefined {
    return this.#files.get(`${architecture}/${modulesFile}`);
  }

  /** What the base is made of, in SPDX 2.3; undefined for a release that does not say it. */
  bill(architecture: Architecture): View | undefined {
    return this.#files.get(billFile(architecture));
  }

  /** What is said of vulnerabilities, in OpenVEX; undefined for a release that says nothing. */
  get statements(): View | undefined {
    return this.#files.get(statementsFile);
  }

  /** What images for it may have besides, by name. */
  extensions(architecture: Architecture): Readonly<Record<string, ReleaseExtension>> {
    return this.release.architectures[architecture]?.extensions ?? {};
  }

  /** The name that an extension has now, by that or by one that it had before; undefined where there is none. */
  extensionName(architecture: Architecture, name: string): string | undefined {
    const known = this.extensions(architecture);
    if (Object.hasOwn(known, name)) return name;
    return Object.keys(known).find((each) => known[each]?.aliases?.includes(name));
  }

  /**
   * Extensions by the names that a schematic has, each once, in its order.
   *
   * @throws {FactoryError} as {@link extension}.
   */
  extensionsNamed(architecture: Architecture, names: readonly string[]): readonly ExtensionLayer[] {
    const layers = names.map((name) => this.extension(architecture, name));
    return [...new Map(layers.map((layer) => [layer.name, layer])).values()];
  }

  /**
   * An extension as it was verified, with what it is, by its name or one that it had before.
   *
   * @throws {FactoryError} with `ERR_FACTORY_EXTENSION` and the nearest names.
   */
  extension(architecture: Architecture, asked: string): ExtensionLayer {
    const known = this.extensions(architecture);
    const name = this.extensionName(architecture, asked) ?? asked;
    const [about, content] = [known[name], this.#files.get(`${architecture}/${extensionFile(name)}`)];
    const bill = this.#files.get(`${architecture}/${extensionBillFile(name)}`);
    const modules = this.#files.get(`${architecture}/${extensionModulesFile(name)}`);
    if (about !== undefined && content !== undefined) return { name, about, content, bill, modules };
    const names = Object.keys(known);
    const others = this.architectures.filter((each) => this.extensionName(each, asked) !== undefined);
    if (others.length > 0)
      throw new FactoryError(
        'ERR_FACTORY_EXTENSION',
        `${asked}: this release has it for ${others.join(', ')}, and not for ${architecture}`,
      );
    const why = names.length === 0 ? 'this release has no extensions' : 'this release has none of this name';
    throw new FactoryError('ERR_FACTORY_EXTENSION', `${name}: ${why}`, { nearest: nearest(name, names) });
  }

  #none(architecture: Architecture): never {
    throw new FactoryError('ERR_FACTORY_ARCHITECTURE', `${this.version} is not for ${architecture}`, {
      nearest: this.architectures,
    });
  }
}
