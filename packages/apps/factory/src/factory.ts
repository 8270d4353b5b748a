import {
  canonicalText,
  isSchematicId,
  parseSchematic,
  type Schematic,
  schematicId,
} from '@nodecore/schematic';

import { type Asset, parsePxe } from './assets/asset.ts';
import type { Downloads } from './assets/downloads.ts';
import type { Images, KnownSchematic } from './assets/images.ts';
import { platforms } from './assets/platforms.ts';
import { FactoryError } from './errors.ts';
import type { Releases } from './releases/releases.ts';
import type { SchematicStore } from './schematics/schematic-store.ts';

/** `[<platform>-]installer[-secureboot]/<schematic>`; registries know small letters only. */
const installerName = /^(?:(?<platform>[a-z-]+)-)?installer(?<secureboot>-secureboot)?\/(?<id>[0-9a-f]{64})$/;

/** Who asks, where a factory asks for it. */
export type Viewer = { readonly subject: string };

/** Told what is done with schematics. */
export type SchematicCounts = {
  schematicRead(): void;
  schematicCreated(isNew: boolean): void;
};

/** What a factory has: routes ask it and know nothing of where things lie. */
export class Factory {
  readonly releases: Releases;
  readonly images: Images;
  readonly downloads: Downloads;
  /** Where clients reach it, without a slash at the end. */
  readonly externalUrl: string;
  readonly #store: SchematicStore;
  readonly #hasPublicSchematics: boolean;
  readonly #counts: SchematicCounts | undefined;

  constructor(options: {
    readonly releases: Releases;
    readonly images: Images;
    readonly downloads: Downloads;
    readonly store: SchematicStore;
    readonly externalUrl: string;
    /** Whether schematics without an owner are for every caller who is known. */
    readonly hasPublicSchematics?: boolean;
    readonly counts?: SchematicCounts | undefined;
  }) {
    this.releases = options.releases;
    this.images = options.images;
    this.downloads = options.downloads;
    this.externalUrl = options.externalUrl;
    this.#store = options.store;
    this.#hasPublicSchematics = options.hasPublicSchematics ?? false;
    this.#counts = options.counts;
  }

  /**
   * Keeps a submitted schematic, which is its submitter's. When this returns, it survives a power cut.
   *
   * @param check throws for one that is not to be kept.
   * @throws {SchematicError} for a text that is none; {@link FactoryError} when it can't be kept, or names another owner.
   */
  async submit(
    submitted: string,
    viewer?: Viewer,
    check: (schematic: Schematic) => void = () => {},
  ): Promise<{ readonly id: string; readonly schematic: string }> {
    const given = parseSchematic(submitted);
    check(given);
    if (given.owner !== undefined && viewer === undefined)
      throw new FactoryError('ERR_FACTORY_SCHEMATIC_OWNER', 'owner: this factory does not know its callers');
    if (given.owner !== undefined && given.owner !== viewer?.subject)
      throw new FactoryError('ERR_FACTORY_SCHEMATIC_FOREIGN', 'owner: must be who submits it, or left out');
    const schematic = viewer === undefined ? given : { ...given, owner: viewer.subject };
    const text = canonicalText(schematic);
    const id = schematicId(schematic);
    const isNew = await this.#store.put(id, text);
    this.#counts?.schematicCreated(isNew);
    return { id, schematic: text };
  }

  /**
   * @throws {FactoryError} with `ERR_FACTORY_SCHEMATIC_UNKNOWN`, for what is no ID, too; with `ERR_FACTORY_SCHEMATIC_FOREIGN` for one that
   *   is not the viewer's.
   */
  async schematic(id: string, viewer?: Viewer): Promise<KnownSchematic> {
    const text = isSchematicId(id) ? await this.#store.get(id) : undefined;
    if (text === undefined)
      throw new FactoryError('ERR_FACTORY_SCHEMATIC_UNKNOWN', 'no such schematic: submit it first');
    const found = this.#known(id, text, viewer);
    this.#counts?.schematicRead();
    return found;
  }

  /** Who is not asked who they are gets what is nobody's, and no more. */
  #known(id: string, text: string, viewer: Viewer | undefined): KnownSchematic {
    const schematic = parseSchematic(text);
    const isTheirs = schematic.owner === viewer?.subject;
    const isEverybodys = schematic.owner === undefined && this.#hasPublicSchematics;
    if (isTheirs || isEverybodys) return { id, text, schematic };
    throw new FactoryError(
      'ERR_FACTORY_SCHEMATIC_FOREIGN',
      'this schematic is not yours: submit it yourself',
    );
  }

  /**
   * The script by which iPXE starts an image; with Secure Boot the unified image, whose own command line counts.
   *
   * @param asked who asks, and what is put behind the addresses in the script, as `?token=…`.
   * @throws {FactoryError} as for the images that it names.
   */
  async pxe(
    id: string,
    version: string,
    name: string,
    { viewer, query = '' }: { readonly viewer?: Viewer | undefined; readonly query?: string } = {},
  ): Promise<string> {
    const system = parsePxe(name);
    const schematic = await this.schematic(id, viewer);
    const release = this.releases.get(version);
    const { platform, architecture, isSecureBoot } = system;
    release.assertFor(architecture);
    const line = this.images.commandLine(schematic, system);
    const base = `${this.externalUrl}/image/${id}/${version}`;
    const start = isSecureBoot
      ? [`kernel ${base}/${platform.name}-${architecture}-secureboot-uki.efi${query} ${line}`]
      : [
          `kernel ${base}/kernel-${architecture}${query} initrd=initramfs-${architecture}.xz ${line}`,
          `initrd ${base}/initramfs-${architecture}.xz${query}`,
        ];
    return ['#!ipxe', 'imgfree', ...start, 'boot', ''].join('\n');
  }

  /**
   * What a repository of `/v2/` is: an installer of one schematic; undefined when there is no such.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SCHEMATIC_FOREIGN`.
   */
  async installerOf(
    repository: string,
    viewer?: Viewer,
  ): Promise<{ readonly schematic: KnownSchematic; readonly asset: Asset } | undefined> {
    const match = installerName.exec(repository);
    const { platform: name = 'metal', secureboot, id = '' } = match?.groups ?? {};
    const isSecureBoot = secureboot !== undefined;
    const platform = platforms.find((each) => each.name.toLowerCase() === name);
    const text = id === '' ? undefined : await this.#store.get(id);
    if (text === undefined || platform === undefined) return undefined;
    if (isSecureBoot && !(this.images.hasSecureBoot && platform.hasSecureBoot)) return undefined;
    return {
      schematic: this.#known(id, text, viewer),
      asset: { kind: 'installer', platform, architecture: 'amd64', isSecureBoot },
    };
  }
}
