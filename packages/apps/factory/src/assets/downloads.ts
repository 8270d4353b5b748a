import { createHash } from 'node:crypto';

import {
  type Compression,
  compressedParts,
  type CompressedPart,
  compressionVersion,
  framesOf,
  gnuTar,
  qcow2,
  vhd,
  vmdk,
} from '@nodecore/image';
import { type FileExtent, View } from '@nodecore/view';

import type { Held, ObjectStore, WriteObject } from '../objects/object-store.ts';
import { Once } from '../once.ts';
import type { Askers } from '../shared-work.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import type { Asset, DiskForm } from './asset.ts';
import type { Images, KnownSchematic, Making } from './images.ts';
import { ova } from './ova.ts';

/** Of how many images the parts are kept that are made of each request; some 100 KiB each. */
const kept = 64;

export type DownloadsOptions = {
  readonly images: Images;
  readonly objects: Pick<ObjectStore, 'get'>;
  /** Hex SHA-256 of a file of a release that was verified. */
  readonly digestOf: (path: string) => string | undefined;
};

/** Who opens an asset: what is held for them, and when they are gone. */
type Opening = {
  readonly hold: (held: Held) => View;
  readonly signal: AbortSignal | undefined;
};

/**
 * Images as they are sent: in the format and with the compression that a name asks for. Frames of the files of releases, and disks for
 * VMware, are made at their first use and kept; all else stays a view.
 */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #disks = new Once<View>(kept);
  readonly #parts = new Once<readonly CompressedPart[]>(kept);
  readonly #digests = new Once<string>(kept);

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** What stands for the bytes of an asset: another one whenever they could be others. */
  etag(release: LoadedRelease, schematic: KnownSchematic, asset: Asset): string {
    const recipe = this.#options.images.recipe(release, schematic, asset);
    const { disk } = asset;
    if (disk === undefined || (disk.format === 'raw' && disk.compression === undefined)) return recipe;
    return hash([recipe, asset.platform.name, disk.format, disk.compression, ...versionsOf(disk)]);
  }

  /**
   * The bytes of an asset, which are there as long as they are held.
   *
   * @throws {FactoryError} as {@link Images.view} and {@link ObjectStore.get}.
   */
  async open(
    release: LoadedRelease,
    schematic: KnownSchematic,
    asset: Asset,
    making: Making = {},
  ): Promise<Held> {
    const { images } = this.#options;
    const { signal } = making;
    const raw = await images.view(release, schematic, asset, making);
    const { disk } = asset;
    using stack = new DisposableStack();
    const hold = (held: Held): View => stack.use(held).view;
    const etag = this.etag(release, schematic, asset);
    const name = `${etag} ${release.loading}`;
    const view =
      disk === undefined
        ? raw
        : await this.#compressed(
            disk.format === 'ova'
              ? await this.#ova(raw, { release, schematic, asset, hold, signal })
              : await this.#disks.get(name, () => Promise.resolve(this.#disk(raw, asset, etag))),
            disk,
            { name, hold, signal },
          );
    const held = stack.move();
    return { view, [Symbol.dispose]: () => held.dispose() };
  }

  #disk(raw: View, { disk, platform: { clusterSizeBytes } }: Asset, recipe: string): View {
    if (disk?.format === 'qcow2')
      return qcow2(raw, clusterSizeBytes === undefined ? {} : { clusterSizeBytes });
    return disk?.format === 'vhd' ? vhd(raw, { recipe }) : raw;
  }

  async #ova(
    raw: View,
    {
      release,
      schematic,
      asset,
      hold,
      signal,
    }: Opening & {
      readonly release: LoadedRelease;
      readonly schematic: KnownSchematic;
      readonly asset: Asset;
    },
  ): Promise<View> {
    const recipe = this.#options.images.recipe(release, schematic, asset);
    const name = hash(['vmdk', recipe, compressionVersion('gz')]);
    const made = hold(
      await this.#options.objects.get(
        name,
        (file, ending) => file.writeFile(vmdk(raw, { recipe }), { signal: ending }),
        signal,
      ),
    );
    const digest = async ({ gone }: Askers): Promise<string> =>
      (await made.digest('sha256', gone)).toString('hex');
    const sha256 = await this.#digests.get(name, digest, signal);
    const { isSecureBoot } = asset;
    return ova({ version: release.version, isSecureBoot, capacityBytes: raw.size, vmdk: made, sha256 });
  }

  async #compressed(
    view: View,
    { format, compression: asked }: DiskForm,
    { name, hold, signal }: Opening & { readonly name: string },
  ): Promise<View> {
    if (asked === undefined) return view;
    const isTar = asked === 'tar.gz';
    const compression = isTar ? 'gz' : asked;
    const content = isTar ? gnuTar([{ name: `disk.${format}`, content: view }]) : view;
    const parts = await this.#parts.get(name, () => compressedParts(content, compression));
    const views: (View | Uint8Array)[] = [];
    for (const part of parts)
      views.push(part instanceof Uint8Array ? part : hold(await this.#frames(part, compression, signal)));
    return View.of(...views);
  }

  /** Frames of a range of a file, by what is in it, so that all images share them. */
  #frames(range: FileExtent, compression: Compression, signal: AbortSignal | undefined): Promise<Held> {
    const { path, identity, offset, size } = range;
    const content = this.#options.digestOf(path) ?? `${path} ${identity?.inode} ${identity?.modifiedNs}`;
    const name = hash(['frames', content, offset, size, compressionVersion(compression)]);
    const write: WriteObject = async (file, ending) => {
      for await (const frame of framesOf(View.of(range), compression)) {
        ending.throwIfAborted();
        await file.writeFile(frame);
      }
    };
    return this.#options.objects.get(name, write, signal);
  }
}

/** Other versions of a library may give other bytes. */
function versionsOf({ format, compression }: DiskForm): readonly string[] {
  const used = new Set<Compression>();
  if (format === 'ova' || compression === 'tar.gz') used.add('gz');
  if (compression !== undefined && compression !== 'tar.gz') used.add(compression);
  return [...used].map((each) => compressionVersion(each));
}

function hash(values: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
