import type { CpioEntry } from '@nodecore/image';
import type { Schematic } from '@nodecore/schematic';
import { View } from '@nodecore/view';
import { stringify } from 'yaml';

import type { ExtensionLayer } from '../releases/loaded-release.ts';

/** What a factory puts beside the release into every image. */
export type LayerOptions = {
  readonly id: string;
  /** The canonical text that the ID is of. */
  readonly text: string;
  readonly schematic: Schematic;
  /** External URL of the factory: a reader of the schematic knows which factory to ask. */
  readonly source: string;
  /** Public keys in PEM, by file name without `.pub`: who may sign what the node upgrades to. */
  readonly installerKeys: ReadonlyMap<string, string>;
  /** Whether values for META lie in the layer; a disk image has them on the disk. */
  readonly hasMeta: boolean;
  /** Laid between the layer and the root, in this order from the top. */
  readonly extensions: readonly ExtensionLayer[];
  /** Where what is below `/usr/lib/modules` finds each other: see `modulesOf`; by path. */
  readonly modules: ReadonlyMap<string, Buffer>;
};

/** The directory that PID 1 lays over the root; its name ends the line of `layers.list`. */
const layer = '/layers/schematic';

/** The layer of a schematic, with the list that says how PID 1 stacks layers: top first. */
export function schematicLayer(options: LayerOptions): readonly CpioEntry[] {
  const { id, schematic, installerKeys, hasMeta, extensions } = options;
  const { embeddedMachineConfiguration, meta = [] } = schematic.customization ?? {};
  return [
    text('/layers.list', [`${layer}/`, ...extensions.map(fileOf), '/rootfs.sqsh', ''].join('\n')),
    ...extensions.map((each): CpioEntry => ({ kind: 'file', path: fileOf(each), content: each.content })),
    text(`${layer}/usr/local/share/schematic/${id}`, ''),
    text(`${layer}/system/extensions.yaml`, extensionsOf(options)),
    ...(embeddedMachineConfiguration === undefined
      ? []
      : [text(`${layer}/system/embedded-config.yaml`, embeddedMachineConfiguration)]),
    ...(hasMeta && meta.length > 0
      ? [
          text(
            `${layer}/system/meta.json`,
            `${JSON.stringify(Object.fromEntries(meta.map(({ key, value }) => [key, value])))}\n`,
          ),
        ]
      : []),
    ...Array.from(options.modules, ([path, bytes]): CpioEntry => ({
      kind: 'file',
      path: `${layer}${path}`,
      content: View.of(bytes),
    })),
    ...Array.from(installerKeys, ([name, pem]) =>
      text(`${layer}/usr/share/nodeos/installer-keys/${name}.pub`, pem),
    ),
  ];
}

/** The layers above the root, top first, as the node lists them. */
function extensionsOf({ id, text, source, extensions }: LayerOptions): string {
  const metadata = {
    name: 'schematic',
    version: id,
    author: 'nodecore-factory',
    description: 'What this image was made of.',
    extraInfo: text,
    source,
  };
  const others = extensions.map((each) => {
    const { aliases: _, ...about } = each.about;
    return { image: fileOf(each), metadata: { name: each.name, ...about } };
  });
  return stringify({ layers: [{ image: `${layer}/`, metadata }, ...others] });
}

function fileOf({ name }: ExtensionLayer): string {
  return `/layers/extensions/${name}.sqsh`;
}

function text(path: string, content: string): CpioEntry {
  return { kind: 'file', path, content: View.of(Buffer.from(content)) };
}
