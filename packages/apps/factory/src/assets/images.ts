import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { type Enrollment, type EspOptions } from '@nodecore/boot';
import { type SecureBootKeys, signPe } from '@nodecore/efi';
import { commandLine, cpio, diskImage, iso } from '@nodecore/image';
import type { Schematic } from '@nodecore/schematic';
import { imageVersionOf } from '@nodecore/schematic/release';
import { assembleUki, type UkiProfile } from '@nodecore/uki';
import { View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import { Once } from '../once.ts';
import type { Askers } from '../shared-work.ts';
import { Turns } from '../turns.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset, AssetKind, System } from './asset.ts';
import { checkOffered } from './check.ts';
import { modulesOf } from './extension-modules.ts';
import { grubOf, startsByBios } from './grub.ts';
import { type Installer, installerArchive, installerImage } from './installer.ts';
import type { InstallerKey } from './installer-key.ts';
import { osRelease } from './os-release.ts';
import { keyDigests, recipeOf } from './recipe.ts';
import { schematicLayer } from './schematic-layer.ts';
import { hasWellKnownCertificates } from './well-known-certificates.ts';

/** A schematic that is kept, with its ID and canonical text. */
export type KnownSchematic = { readonly id: string; readonly text: string; readonly schematic: Schematic };

export type ImagesOptions = {
  /** External URL of the factory. */
  readonly source: string;
  readonly installerKey: InstallerKey;
  readonly secureBoot: SecureBootKeys | undefined;
};

/** How many images and parts are kept as views; each is some 100 KiB of tables. */
const kept = 64;
/** Images that are hashed before their first byte, half a second each. */
const hashing = { atOnce: 2, maxWaiting: 32 };

/** Who asks for an image, as far as making it is concerned. */
export type Making = {
  /** Told how many seconds it took, when it was made now, and for this caller. */
  readonly onMade?: (seconds: number) => void;
  /** Fires when who asks is gone: what waits to be made for nobody else is dropped. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Makes images as views of what lies ready: the first byte of one that nobody has asked for before takes as long as hashing
 * the parts that a signature is over. Each is made once, however many ask.
 */
export class Images {
  readonly #options: ImagesOptions;
  readonly #keys: readonly string[];
  readonly #views = new Once<View>(kept);
  readonly #installers = new Once<Installer>(kept);
  readonly #turns = new Turns(hashing);

  constructor(options: ImagesOptions) {
    this.#options = options;
    this.#keys = keyDigests(options);
  }

  /** Whether there are keys for Secure Boot. */
  get hasSecureBoot(): boolean {
    return this.#options.secureBoot !== undefined;
  }

  /** The recipe hash of an asset, without making it. */
  recipe(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): string {
    const { source } = this.#options;
    return recipeOf({ asset, release: release.digest, schematic: schematic.id, source, keys: this.#keys });
  }

  /** Under what an asset is kept: its recipe, and the files that it is a view of. */
  #keptAs(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): string {
    return `${this.recipe(release, schematic, asset)} ${release.loading}`;
  }

  /**
   * The bytes of an asset.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SECURE_BOOT`, `ERR_FACTORY_OVERLOADED`, and as `checkOffered` does.
   */
  async view(
    release: LoadedRelease,
    schematic: KnownSchematic,
    asset: Asset,
    { onMade = () => {}, signal }: Making = {},
  ): Promise<View> {
    this.assertMade(release, schematic, asset);
    const make = async (askers: Askers): Promise<View> => {
      const started = performance.now();
      const view = await this.#make(release, schematic, asset, askers.gone);
      onMade((performance.now() - started) / 1_000);
      return view;
    };
    const makeInTurn = async (askers: Askers): Promise<View> => {
      if (asset.kind === 'installer') return await make(askers); // which waits for its turn by itself
      if (asset.isSecureBoot) return await this.#inTurn(make, askers);
      askers.keep();
      return await make(askers);
    };
    return await this.#views.get(this.#keptAs(release, schematic, asset), makeInTurn, signal);
  }

  /** What has begun goes on, whoever leaves. */
  #inTurn<T>(make: (askers: Askers) => Promise<T>, askers: Askers): Promise<T> {
    return this.#turns.run(async () => {
      askers.keep();
      return await make(askers);
    }, askers.gone);
  }

  /**
   * Whether an asset can be made, without making it.
   *
   * @throws {FactoryError} as {@link view}.
   */
  assertMade(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): void {
    release.assertFor(asset.architecture);
    checkOffered(schematic.schematic, asset, release);
    this.#assertKeys(schematic, asset);
  }

  /** The installer image; throws as {@link Images.view}. */
  async installer(
    release: LoadedRelease,
    schematic: KnownSchematic,
    asset: Asset,
    signal?: AbortSignal,
  ): Promise<Installer> {
    checkOffered(schematic.schematic, asset, release);
    this.#assertKeys(schematic, asset);
    const make = (askers: Askers): Promise<Installer> => {
      askers.keep();
      return this.#makeInstaller(release, schematic, asset);
    };
    const inTurn = (askers: Askers) => (asset.isSecureBoot ? this.#inTurn(make, askers) : make(askers));
    return await this.#installers.get(this.#keptAs(release, schematic, asset), inTurn, signal);
  }

  async #makeInstaller(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): Promise<Installer> {
    const uki = await this.#uki(release, schematic, asset);
    const systemdBoot = await this.#systemdBoot(release, asset);
    const key = this.#options.installerKey;
    const enrollment = this.#enrollment(schematic, asset);
    const grub = asset.isSecureBoot ? undefined : release.grub(asset.architecture);
    const { id } = schematic;
    return await installerImage({ release, schematic: id, asset, uki, systemdBoot, enrollment, grub, key });
  }

  /** The command line of the kernel. That of a medium does not start a second system beside one that is installed. */
  commandLine(
    schematic: KnownSchematic,
    { platform, architecture, isSecureBoot, kind }: System & { readonly kind?: AssetKind },
  ): string {
    const extraArguments = schematic.schematic.customization?.extraKernelArgs ?? [];
    const consoles = platform.consoles?.[architecture] ?? [];
    const platformArguments = kind === 'iso' ? [...consoles, 'os.halt_if_installed=1'] : consoles;
    return commandLine({ platform: platform.name, platformArguments, isSecureBoot, extraArguments });
  }

  #assertKeys({ schematic }: KnownSchematic, { isSecureBoot }: Asset): void {
    if (!isSecureBoot) return;
    const { secureBoot } = this.#options;
    if (secureBoot === undefined)
      throw new FactoryError('ERR_FACTORY_SECURE_BOOT', 'this factory has no keys for Secure Boot');
    // The key that signs db is its owner's, and not here.
    if (
      schematic.customization?.secureboot?.includeWellKnownCertificates === true &&
      !hasWellKnownCertificates(secureBoot.db)
    )
      throw new FactoryError(
        'ERR_FACTORY_UNSUPPORTED',
        'secureboot.includeWellKnownCertificates: db of this factory was signed without them: `osctl gen secureboot database` takes each as --enrolled-certificate',
      );
  }

  async #make(
    release: LoadedRelease,
    schematic: KnownSchematic,
    asset: Asset,
    gone: AbortSignal,
  ): Promise<View> {
    const { kind, architecture } = asset;
    if (kind === 'kernel') return release.file(architecture, 'kernel');
    if (kind === 'cmdline') return View.of(Buffer.from(this.commandLine(schematic, asset)));
    if (kind === 'initramfs') return await this.#initramfs(release, schematic, asset);
    if (kind === 'uki') return await this.#uki(release, schematic, asset);
    if (kind === 'installer') return installerArchive(await this.installer(release, schematic, asset, gone));
    const esp = await this.#esp(release, schematic, asset);
    const recipe = this.recipe(release, schematic, asset);
    const { meta = [], diskImage: disk = {}, bootloader } = schematic.schematic.customization ?? {};
    const grub = startsByBios(asset, bootloader) ? await grubOf(release, asset, esp, bootloader) : {};
    if (kind === 'iso') return iso({ recipe, version: release.version, esp, ...grub });
    const { diskSizeMiB } = asset.platform;
    return diskImage({
      recipe,
      ...(bootloader !== 'grub' && { esp }),
      ...grub,
      meta: new Map(meta.map(({ key, value }) => [key, Buffer.from(value)])),
      sectorSize: disk.sectorSize ?? 512,
      ...(diskSizeMiB !== undefined && { sizeBytes: diskSizeMiB * 2 ** 20 }),
    });
  }

  async #esp(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): Promise<EspOptions> {
    const uki = await this.#uki(release, schematic, asset);
    const systemdBoot = await this.#systemdBoot(release, asset);
    const base = {
      systemdBoot,
      architecture: asset.architecture,
      entries: [{ imageVersion: imageVersionOf(release.version), sequence: 1, uki }],
    };
    const enrollment = this.#enrollment(schematic, asset);
    return { ...base, ...(enrollment && { secureBoot: enrollment }) };
  }

  /** What lies beside the boot loader of an image for Secure Boot. */
  #enrollment({ schematic }: KnownSchematic, { isSecureBoot }: Asset): Enrollment | undefined {
    const { secureBoot } = this.#options;
    if (!isSecureBoot || secureBoot === undefined) return undefined;
    const enrollment = schematic.customization?.secureboot?.enrollKeys ?? 'if-safe';
    const { signer, variables } = secureBoot;
    return { enrollment, keys: variables, certificate: signer.certificate };
  }

  /** Disk images have values for META on the disk, and installers none at all: theirs is the same image. */
  async #uki(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): Promise<View> {
    const { architecture, isSecureBoot } = asset;
    const hasMeta = asset.kind === 'uki' || asset.kind === 'iso';
    const isMedium = asset.kind === 'iso';
    const key = `${this.#keptAs(release, schematic, { ...asset, kind: 'uki' })} ${hasMeta} ${isMedium}`;
    const line = this.commandLine(schematic, asset);
    // It is for machines that have a system, which is what it wipes.
    const profiles = isMedium ? [resetProfile(this.commandLine(schematic, { ...asset, kind: 'uki' }))] : [];
    return await this.#views.get(key, async () => {
      const secureBoot = isSecureBoot ? this.#options.secureBoot : undefined;
      return await assembleUki({
        stub: release.file(architecture, 'stub.efi'),
        sections: {
          osrel: osRelease(release.version),
          cmdline: line,
          ...(isMedium && { profiles }),
          uname: release.kernelVersion(architecture),
          linux: release.file(architecture, 'kernel'),
          initrd: await this.#initramfs(release, schematic, asset),
        },
        ...(secureBoot?.pcrKey === undefined ? {} : { pcrSigningKey: secureBoot.pcrKey }),
        ...(secureBoot === undefined ? {} : { sign: secureBoot.signer }),
      });
    });
  }

  async #systemdBoot(release: LoadedRelease, { architecture, isSecureBoot }: Asset): Promise<View> {
    const program = release.file(architecture, 'systemd-boot.efi');
    const signer = isSecureBoot ? this.#options.secureBoot?.signer : undefined;
    if (signer === undefined) return program;
    return await this.#views.get(`systemd-boot ${architecture} ${release.loading}`, () =>
      signPe(program, signer),
    );
  }

  async #initramfs(
    release: LoadedRelease,
    known: KnownSchematic,
    { kind, architecture }: Asset,
  ): Promise<View> {
    const { source, installerKey } = this.#options;
    const hasMeta = kind === 'initramfs' || kind === 'uki' || kind === 'iso';
    const names = known.schematic.customization?.systemExtensions?.officialExtensions ?? [];
    const extensions = release.extensionsNamed(architecture, names);
    const installerKeys = new Map([[installerKey.name, installerKey.publicPem]]);
    const modules = await modulesOf(release, architecture, extensions);
    const first = release.file(architecture, 'initramfs.cpio');
    return View.of(
      first,
      new Uint8Array((4 - (first.size % 4)) % 4),
      cpio([{ kind: 'file', path: '/rootfs.sqsh', content: release.file(architecture, 'base.sqsh') }]),
      cpio(schematicLayer({ ...known, source, installerKeys, hasMeta, extensions, modules })),
    );
  }
}

/** Signed with the image, so that somebody who stands before a machine with Secure Boot can wipe it, too. */
function resetProfile(line: string): UkiProfile {
  return {
    id: 'reset',
    title: 'Reset: wipes the system disk',
    cmdline: `${line} ${kernelArgument.experimentalWipe}=system`,
  };
}
