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
import { pxeScript } from './assets/pxe-script.ts';
import { FactoryError } from './errors.ts';
import type { Releases } from './releases/releases.ts';
import type { EmbeddedCheck } from './schematics/embedded-check.ts';
import { type OwnedSchematics, ownedSchematics, type PageRequest } from './schematics/owned-schematics.ts';
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

/** Installers of a schematic, of all versions and architectures. */
export type InstallerRepository = { readonly schematic: KnownSchematic } & Pick<
  Asset,
  'platform' | 'isSecureBoot'
>;

/** What a factory has: routes ask it and know nothing of where things lie. */
export class Factory {
  readonly releases: Releases;
  readonly images: Images;
  readonly downloads: Downloads;
  /** Where clients reach it, without a slash at the end. */
  readonly externalUrl: string;
  /** Where iPXE does. */
  readonly externalPxeUrl: string;
  readonly #store: SchematicStore;
  readonly #embedded: Pick<EmbeddedCheck, 'assertRight'>;
  readonly #hasPublicSchematics: boolean;
  readonly #counts: SchematicCounts | undefined;

  constructor(options: {
    readonly releases: Releases;
    readonly images: Images;
    readonly downloads: Downloads;
    readonly store: SchematicStore;
    readonly embedded: Pick<EmbeddedCheck, 'assertRight'>;
    readonly externalUrl: string;
    readonly externalPxeUrl?: string | undefined;
    /** Whether schematics without an owner are for every caller who is known. */
    readonly hasPublicSchematics?: boolean;
    readonly counts?: SchematicCounts | undefined;
  }) {
    this.releases = options.releases;
    this.images = options.images;
    this.downloads = options.downloads;
    this.externalUrl = options.externalUrl;
    this.externalPxeUrl = options.externalPxeUrl ?? options.externalUrl;
    this.#store = options.store;
    this.#embedded = options.embedded;
    this.#hasPublicSchematics = options.hasPublicSchematics ?? false;
    this.#counts = options.counts;
  }

  /**
   * Keeps a submitted schematic, which is its submitter's. When this returns, it survives a power cut.
   *
   * @param check throws for one that is not to be kept.
   * @throws {SchematicError} for a text that is none; {@link FactoryError} when it can't be kept, names another owner, or embeds a
   *   configuration that no node would take.
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
    const configuration = given.customization?.embeddedMachineConfiguration ?? '';
    if (configuration !== '') await this.#embedded.assertRight(configuration);
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

  /**
   * The schematics of who asks, and nobody's else.
   *
   * @throws {FactoryError} with `ERR_FACTORY_REQUEST` where nobody is asked who they are, and as {@link ownedSchematics}.
   */
  async schematicsOf(viewer: Viewer | undefined, page: PageRequest): Promise<OwnedSchematics> {
    if (viewer === undefined)
      throw new FactoryError('ERR_FACTORY_REQUEST', 'mine: this factory does not know its callers');
    return await ownedSchematics(this.#store, viewer.subject, page);
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
   * The script by which iPXE starts an image.
   *
   * @param asked who asks, and what is put behind the addresses in the script, as `?token=…`.
   * @throws {FactoryError} as for the images that it names, and as {@link pxeScript}.
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
    // Who stands before a machine is told nothing of use by a script whose images are none.
    this.images.assertMade(release, schematic, {
      ...system,
      kind: system.isSecureBoot ? 'uki' : 'initramfs',
    });
    const line = this.images.commandLine(schematic, system);
    return pxeScript(system, { base: `${this.externalPxeUrl}/image/${id}/${version}`, query, line });
  }

  /**
   * What a repository of `/v2/` is: an installer of one schematic; undefined when there is no such.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SCHEMATIC_FOREIGN`.
   */
  async installerOf(repository: string, viewer?: Viewer): Promise<InstallerRepository | undefined> {
    const match = installerName.exec(repository);
    const { platform: name = 'metal', secureboot, id = '' } = match?.groups ?? {};
    const isSecureBoot = secureboot !== undefined;
    const platform = platforms.find((each) => each.name.toLowerCase() === name);
    const text = id === '' ? undefined : await this.#store.get(id);
    if (text === undefined || platform === undefined) return undefined;
    if (isSecureBoot && !(this.images.hasSecureBoot && platform.hasSecureBoot)) return undefined;
    return { schematic: this.#known(id, text, viewer), platform, isSecureBoot };
  }
}
