import { canonicalText, isSchematicId, parseSchematic, schematicId } from '@nodecore/schematic';

import { type Asset, parseAsset, platforms } from './assets/asset.ts';
import type { Images, KnownSchematic } from './assets/images.ts';
import { FactoryError } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Releases } from './releases/releases.ts';
import type { SchematicStore } from './schematics/schematic-store.ts';

/** What a factory has: routes ask it and know nothing of where things lie. */
export class Factory {
  readonly releases: Releases;
  readonly images: Images;
  /** Where clients reach it, without a slash at the end. */
  readonly externalUrl: string;
  readonly #store: SchematicStore;

  constructor(options: {
    readonly releases: Releases;
    readonly images: Images;
    readonly store: SchematicStore;
    readonly externalUrl: string;
  }) {
    this.releases = options.releases;
    this.images = options.images;
    this.externalUrl = options.externalUrl;
    this.#store = options.store;
  }

  /**
   * Keeps a submitted schematic. When this returns, it survives a power cut.
   *
   * @throws {SchematicError} for a text that is none; {@link FactoryError} when it can't be kept, or names an owner.
   */
  submit(submitted: string): { readonly id: string; readonly schematic: string } {
    const schematic = parseSchematic(submitted);
    if (schematic.owner !== undefined)
      throw new FactoryError('ERR_FACTORY_SCHEMATIC_OWNER', 'owner: this factory does not know its callers');
    const text = canonicalText(schematic);
    const id = schematicId(schematic);
    this.#store.put(id, text);
    return { id, schematic: text };
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SCHEMATIC_UNKNOWN`, for what is no ID, too. */
  schematic(id: string): KnownSchematic {
    const text = isSchematicId(id) ? this.#store.get(id) : undefined;
    if (text === undefined)
      throw new FactoryError('ERR_FACTORY_SCHEMATIC_UNKNOWN', 'no such schematic: submit it first');
    return { id, text, schematic: parseSchematic(text) };
  }

  /**
   * The script by which iPXE starts an image; with Secure Boot the unified image, whose own command line counts.
   *
   * @throws {FactoryError} as for the images that it names.
   */
  pxe(id: string, version: string, name: string): string {
    const names = platforms.flatMap((platform) => [
      `${platform}-amd64`,
      `${platform}-arm64`,
      `${platform}-amd64-secureboot`,
      `${platform}-arm64-secureboot`,
    ]);
    if (!names.includes(name) && !/^metal-(?:x86_64|i386)(?:-secureboot)?$/.test(name))
      throw new FactoryError('ERR_FACTORY_ASSET', 'no such system', { nearest: nearest(name, names) });
    const { asset } = parseAsset(`cmdline-${name}`);
    const schematic = this.schematic(id);
    const release = this.releases.get(version);
    release.file(asset.architecture, 'kernel');
    const line = this.images.commandLine(schematic, asset);
    const base = `${this.externalUrl}/image/${id}/${version}`;
    const { architecture } = asset;
    const start = asset.isSecureBoot
      ? [`kernel ${base}/metal-${architecture}-secureboot-uki.efi ${line}`]
      : [
          `kernel ${base}/kernel-${architecture} initrd=initramfs-${architecture}.xz ${line}`,
          `initrd ${base}/initramfs-${architecture}.xz`,
        ];
    return ['#!ipxe', 'imgfree', ...start, 'boot', ''].join('\n');
  }

  /** What a repository of `/v2/` is: an installer of one schematic; undefined when there is no such. */
  installerOf(repository: string): { readonly schematic: KnownSchematic; readonly asset: Asset } | undefined {
    const match = /^(?:metal-)?installer(?<secureboot>-secureboot)?\/(?<id>[0-9a-f]{64})$/.exec(repository);
    const { secureboot, id = '' } = match?.groups ?? {};
    const isSecureBoot = secureboot !== undefined;
    const text = this.#store.get(id);
    if (text === undefined || (isSecureBoot && !this.images.hasSecureBoot)) return undefined;
    return {
      schematic: { id, text, schematic: parseSchematic(text) },
      asset: { kind: 'installer', architecture: 'amd64', isSecureBoot },
    };
  }
}
