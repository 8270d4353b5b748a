export {
  commandLine,
  type CommandLineOptions,
  defaultArguments,
  secureBootArguments,
} from './command-line.ts';
export { cpio, type CpioEntry } from './cpio.ts';
export { diskImage, type DiskImageOptions } from './disk-image.ts';
export { ImageError, type ImageErrorCode } from './errors.ts';
export { fat32, type Fat32Options } from './fat/fat32.ts';
export type { FatFile } from './fat/tree.ts';
export { qcow2, type Qcow2Options } from './formats/qcow2.ts';
export { gnuTar, type TarFile } from './formats/tar.ts';
export { vhd } from './formats/vhd.ts';
export { vmdk } from './formats/vmdk.ts';
export { type CompressedPart, compressedParts, framesOf } from './frames/compressed.ts';
export { type Compression, compressions, compressionVersion } from './frames/frame.ts';
export { gpt, type GptOptions, type Partition, partitionType, type SectorSize } from './gpt/gpt.ts';
export type { GrubDisk } from './grub.ts';
export { derivedUuid } from './identifiers.ts';
export { iso, type IsoOptions } from './iso.ts';
export {
  formatModuleList,
  type KernelModule,
  type ModuleList,
  type ModuleTexts,
  nameOfModule,
  parseModuleList,
  readModuleList,
} from './modules/module-list.ts';
export { moduleLists } from './modules/module-lists.ts';
