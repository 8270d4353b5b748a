import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { certificateList, variableStore } from '@nodecore/efi';
import { startFactory } from '@nodecore/factory';
import { tickRateKhz } from '@nodecore/machine';
import { temporaryDirectory } from '@nodecore/testkit';

import { rigCache } from '../src/paths.ts';
import { withoutCosts } from '../src/rig-boot.ts';
import { first, systemPlaces } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';
import { secureBootKeys } from '../src/system/services.ts';
import { freePort } from './agent-node.ts';
import { extension, servedRelease } from './served-release.ts';

type Ends = Parameters<typeof temporaryDirectory>[0];

/** What a node in emulation is told besides, so that it starts soon and says on its console what it does. */
export async function emulatedArguments(logLevel = 7): Promise<readonly string[]> {
  const rate = await tickRateKhz(rigCache);
  const quick = ['mitigations=off', 'no_timer_check', 'tsc=reliable'];
  const words = [...withoutCosts, 'console=ttyS0', `loglevel=${logLevel}`, ...quick];
  return rate === undefined ? words : [...words, `tsc_early_khz=${rate}`];
}

/** What the schematics are for: UEFI and a BIOS, where nothing is said of that, and Secure Boot. */
export type ServedSchematic = 'both' | 'plain' | 'secure';

/** A factory with Secure Boot and schematics for it, whose images are asked for over HTTP. */
export class ServedImages {
  readonly #directory: string;
  readonly #port: number;
  /** By what their images are for. */
  readonly ids: Readonly<Record<ServedSchematic, string>>;

  private constructor(directory: string, port: number, ids: Readonly<Record<ServedSchematic, string>>) {
    this.#directory = directory;
    this.#port = port;
    this.ids = ids;
  }

  /** @param embedded configuration that the nodes carry. */
  static async start(t: Ends, embedded?: string): Promise<ServedImages> {
    const directory = await temporaryDirectory(t);
    const port = await freePort();
    const keys = await secureBootKeys(new Programs(directory), { ...systemPlaces, directory });
    const factory = await startFactory({
      ...(await servedRelease(directory)),
      listen: { host: '127.0.0.1', port },
      storage: join(directory, 'factory'),
      externalUrl: `http://10.0.2.2:${port}`, // as machines on QEMU's own network reach it
      secureBootKeys: keys,
    });
    t.teardown(() => factory.close());
    const submit = async (more: object): Promise<string> => {
      const customization = {
        extraKernelArgs: await emulatedArguments(),
        systemExtensions: { officialExtensions: [extension] },
        ...(embedded !== undefined && { embeddedMachineConfiguration: embedded }),
        ...more,
      };
      const body = JSON.stringify({ customization });
      const response = await fetch(`http://127.0.0.1:${port}/schematics`, { method: 'POST', body });
      return ((await response.json()) as { readonly id: string }).id;
    };
    const both = await submit({ bootloader: 'dual-boot' });
    const plain = await submit({});
    const secure = await submit({ secureboot: { enrollKeys: 'force' } });
    return new ServedImages(directory, port, { both, plain, secure });
  }

  /** Where iPXE finds what to do. */
  scriptUrl(): string {
    return `http://10.0.2.2:${this.#port}/pxe/${this.ids.both}/${first}/metal-amd64`;
  }

  /** The image that nodes install, as machines on QEMU's own network reach it. */
  installerReference(): string {
    return `10.0.2.2:${this.#port}/metal-installer/${this.ids.both}:${first}`;
  }

  /** Downloads an image. @returns its file. */
  async download(name: string, schematic: ServedSchematic): Promise<string> {
    const url = `http://127.0.0.1:${this.#port}/image/${this.ids[schematic]}/${first}/${name}`;
    const response = await fetch(url);
    if (response.status !== 200 || response.body === null)
      throw new Error(`${url}: ${await response.text()}`);
    const file = join(this.#directory, `${schematic}-${name}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
    return file;
  }

  /** Variables of a firmware that takes what the factory signs, and nothing else. */
  async enrolled(): Promise<string> {
    const certificate = await readFile(join(this.#directory, 'secure-boot/uki-signing-cert.pem'));
    const list = certificateList(certificate, '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0');
    const store = join(this.#directory, 'enrolled.fd');
    const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
    await writeFile(store, variableStore(blank, { PK: [list], KEK: [list], db: [list] }));
    return store;
  }
}
