import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ImageFactory, saveStream } from './image-factory.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const mib = 1 << 20;
const [kernelSection, initrdSection] = ['.linux', '.initrd'] as const;
const sections = ['.osrel', '.cmdline', '.uname', kernelSection, initrdSection] as const;
const entry = '::/EFI/Linux/nodeos-1.14.0~alpha.0-1.efi';

const kinds = {
  uki: 'metal-amd64-uki.efi',
  raw: 'metal-amd64.raw',
  iso: 'metal-amd64.iso',
} as const;
type Kind = keyof typeof kinds;

/** What an image is made of: SHA-256 of the kernel; the first filesystem names its schematic, so only its size is the same. */
type Content = { readonly kernel: string; readonly initrdBytes: number };

/** Milliseconds until an image that nobody has asked for has its first byte. */
async function firstByte(factory: ImageFactory, kind: Kind): Promise<number> {
  const started = performance.now();
  const reader = (await factory.another(kinds[kind])).getReader();
  await reader.read();
  const milliseconds = performance.now() - started;
  await reader.cancel();
  return milliseconds;
}

/** The same images by the usual programs, from the same kernel and first filesystem. */
class Programs {
  readonly #place: string;
  readonly #release: string;
  #stubEnd = 0;

  constructor(place: string, release: string) {
    this.#place = place;
    this.#release = release;
  }

  async prepare(uki: string): Promise<void> {
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

  async uki(): Promise<string> {
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

  async raw(): Promise<string> {
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

  async iso(): Promise<string> {
    const [path, esp, tree] = [this.#file('boot.iso'), this.#file('esp.img'), this.#file('tree')];
    await rm(esp, { force: true });
    await writeFile(esp, '');
    await truncate(esp, 120 * mib);
    await this.#esp(esp, 0, 120 * 1024);
    await mkdir(tree, { recursive: true });
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
    return esp;
  }

  /** Removes what the last build has left, so that the next begins with nothing. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#place))
      if (/\.(?:efi|raw|iso|img)$/.test(name)) await rm(join(this.#place, name));
  }

  async #esp(image: string, atMib: number, blocks: number): Promise<void> {
    const uki = await this.uki();
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

async function contentOf(kind: Kind, image: string, atMib: number, work: string): Promise<Content> {
  const uki = join(work, 'found.efi');
  if (kind === 'uki') await copyFile(image, uki);
  else await runProgram(['mcopy', '-n', '-o', '-i', `${image}@@${atMib}M`, entry, uki]);
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

export const bench: Bench = {
  async prepare(stack) {
    const factory = await ImageFactory.start(stack);
    const { place } = factory;
    const programs = new Programs(place, join(factory.release, 'amd64'));
    const saved = join(place, 'saved.efi');
    await saveStream(await factory.another(kinds.uki), saved);
    await programs.prepare(saved);
    const names = {
      uki: 'objcopy',
      raw: 'objcopy, sgdisk, mkfs.vfat, mcopy',
      iso: 'objcopy, mkfs.vfat, mcopy, xorriso',
    };
    return (Object.keys(kinds) as Kind[]).map((kind) =>
      ask<Content>({
        name: `image-first-byte-${kind}`,
        question: `How long until the first byte of a ${kind} image that nobody has asked for, served and built with the usual programs?`,
        gate: 0.2,
        rounds: 7,
        ours: {
          name: 'factory: POST /schematics, GET',
          run: async () => {
            await saveStream(await factory.another(kinds[kind]), join(place, 'ours.image'));
            return await contentOf(kind, join(place, 'ours.image'), kind === 'uki' ? 0 : 1, place);
          },
          sample: async () => await firstByte(factory, kind),
        },
        peer: {
          name: names[kind],
          run: async () => {
            await programs.clear();
            return await contentOf(kind, await programs[kind](), kind === 'raw' ? 1 : 0, place);
          },
          sample: async () => {
            await programs.clear();
            const started = performance.now();
            await programs[kind]();
            return performance.now() - started;
          },
        },
      }),
    );
  },
};
