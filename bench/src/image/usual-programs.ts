import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ImageFactory, saveStream } from '../image-factory.ts';
import { runProgram } from '../program.ts';

const mib = 1 << 20;
const [kernelSection, initrdSection] = ['.linux', '.initrd'] as const;
const sections = ['.osrel', '.cmdline', '.uname', kernelSection, initrdSection] as const;
const entry = '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi';

/** Images, and what the factory calls them. */
export const imageNames = {
  uki: 'metal-amd64-uki.efi',
  raw: 'metal-amd64.raw',
  iso: 'metal-amd64.iso',
} as const;
export type ImageKind = keyof typeof imageNames;

/** Where each has its filesystem, as the factory makes it and mtools say it. */
const espAt = { uki: undefined, raw: '1M', iso: '1M' } as const;

/** What builds each. */
export const programsOf: Readonly<Record<ImageKind, string>> = {
  uki: 'objcopy',
  raw: 'objcopy, sgdisk, mkfs.vfat, mcopy',
  iso: 'objcopy, mkfs.vfat, mcopy, xorriso',
};

/** What an image is made of: SHA-256 of the kernel; the first filesystem names its schematic, so only its size is the same. */
export type ImageContent = { readonly kernel: string; readonly initrdBytes: number };

/** The same images by the usual programs, from the same kernel and first filesystem. */
export class UsualPrograms {
  readonly #place: string;
  readonly #release: string;
  #stubEnd = 0;

  private constructor(place: string, release: string) {
    this.#place = place;
    this.#release = release;
  }

  /** With what is in a UKI of the factory, and the release's files. */
  static async from(factory: ImageFactory): Promise<UsualPrograms> {
    const programs = new UsualPrograms(factory.place, join(factory.release, 'amd64'));
    const saved = join(factory.place, 'saved.efi');
    await saveStream(await factory.another(imageNames.uki), saved);
    await programs.#takeApart(saved);
    return programs;
  }

  async #takeApart(uki: string): Promise<void> {
    for (const name of sections)
      await runProgram([
        'objcopy',
        '-O',
        'binary',
        '--dump-section',
        `${name}=${this.#file(name)}`,
        uki,
        '/dev/null',
      ]);
    const headers = await runProgram(['objdump', '-h', join(this.#release, 'stub.efi')]);
    for (const [, size = '', address = ''] of headers.matchAll(/^\s+\d+ \S+\s+([\da-f]+)\s+([\da-f]+)/gm))
      this.#stubEnd = Math.max(this.#stubEnd, Number.parseInt(address, 16) + Number.parseInt(size, 16));
  }

  /** Builds an image; what the last build has left is gone, so that it begins with nothing. @returns its path. */
  async build(kind: ImageKind): Promise<string> {
    await this.#clear();
    return await { uki: () => this.#uki(), raw: () => this.#raw(), iso: () => this.#iso() }[kind]();
  }

  /** Builds an image. @returns what is in it. */
  async builtContent(kind: ImageKind): Promise<ImageContent> {
    const path = await this.build(kind);
    const at = kind === 'iso' ? await appendedPartition(path) : espAt[kind];
    return await imageContent(path, at, this.#place);
  }

  async #uki(): Promise<string> {
    const path = this.#file('uki.efi');
    let at = this.#stubEnd;
    const flags: string[] = [];
    for (const name of sections) {
      at = Math.ceil(at / 4096) * 4096;
      flags.push(
        '--add-section',
        `${name}=${this.#file(name)}`,
        '--change-section-vma',
        `${name}=0x${at.toString(16)}`,
      );
      at += (await readFile(this.#file(name))).length;
    }
    await runProgram(['objcopy', ...flags, join(this.#release, 'stub.efi'), path]);
    return path;
  }

  async #raw(): Promise<string> {
    const path = this.#file('disk.raw');
    await rm(path, { force: true });
    await writeFile(path, '');
    await truncate(path, 515 * mib);
    await runProgram([
      'sgdisk',
      '-n',
      '1:2048:+512M',
      '-t',
      '1:ef00',
      '-c',
      '1:EFI',
      '-n',
      '2:0:+1M',
      '-c',
      '2:META',
      path,
    ]);
    await this.#esp(path, 1, 512 * 1024);
    return path;
  }

  async #iso(): Promise<string> {
    const [path, esp, tree] = [this.#file('boot.iso'), this.#file('esp.img'), this.#file('tree')];
    await rm(esp, { force: true });
    await writeFile(esp, '');
    await truncate(esp, 120 * mib);
    await this.#esp(esp, 0, 120 * 1024);
    await mkdir(tree, { recursive: true });
    // Of an empty tree xorriso writes no ISO, and does not say so.
    await writeFile(join(tree, 'README'), 'Boots by UEFI.\n');
    const efi = [
      '-append_partition',
      '2',
      '0xef',
      esp,
      '-e',
      '--interval:appended_partition_2:all::',
      '-no-emul-boot',
    ];
    await runProgram([
      'xorriso',
      '-as',
      'mkisofs',
      '-quiet',
      '-o',
      path,
      '-partition_offset',
      '16',
      ...efi,
      tree,
    ]);
    return path;
  }

  async #clear(): Promise<void> {
    for (const name of await readdir(this.#place))
      if (/\.(?:efi|raw|iso|img)$/.test(name)) await rm(join(this.#place, name));
  }

  async #esp(image: string, atMib: number, blocks: number): Promise<void> {
    const uki = await this.#uki();
    await runProgram(['mkfs.vfat', '-F', '32', '--offset', String(atMib * 2048), image, String(blocks)]);
    const at = ['-i', `${image}@@${atMib}M`];
    await runProgram(['mmd', ...at, '::/EFI', '::/EFI/BOOT', '::/EFI/Linux', '::/loader']);
    await runProgram(['mcopy', ...at, join(this.#release, 'systemd-boot.efi'), '::/EFI/BOOT/BOOTX64.EFI']);
    await runProgram(['mcopy', ...at, uki, entry]);
  }

  #file(name: string): string {
    return join(this.#place, name);
  }
}

/** What is in an image that the factory has made. */
export async function servedContent(factory: ImageFactory, kind: ImageKind): Promise<ImageContent> {
  const path = join(factory.place, 'ours.image');
  await saveStream(await factory.another(imageNames[kind]), path);
  return await imageContent(path, espAt[kind], factory.place);
}

/** Where the second partition of an ISO begins. */
async function appendedPartition(iso: string): Promise<string> {
  const [, sector] = /2 : start= *(\d+)/.exec(await runProgram(['sfdisk', '--dump', iso])) ?? [];
  return `${sector}S`;
}

/** @param at where the image has its filesystem; without it, it is a UKI. */
async function imageContent(image: string, at: string | undefined, work: string): Promise<ImageContent> {
  const uki = join(work, 'found.efi');
  if (at === undefined) await copyFile(image, uki);
  else await runProgram(['mcopy', '-n', '-o', '-i', `${image}@@${at}`, entry, uki]);
  const section = async (name: string): Promise<Buffer> => {
    const file = join(work, `found${name}`);
    await runProgram(['objcopy', '-O', 'binary', '--dump-section', `${name}=${file}`, uki, '/dev/null']);
    return await readFile(file);
  };
  const kernel = createHash('sha256')
    .update(await section(kernelSection))
    .digest('hex');
  return { kernel, initrdBytes: (await section(initrdSection)).length };
}
