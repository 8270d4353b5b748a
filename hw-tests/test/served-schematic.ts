import { join } from 'node:path';

import { startFactory } from '@nodecore/factory';
import type { temporaryDirectory } from '@nodecore/testkit';

import { emulatedArguments } from './served-images.ts';
import { extension, servedRelease } from './served-release.ts';

/** A factory with the release of this checkout and an extension, and a schematic of both, whose nodes say on their console what they do. */
export async function servedSchematic(
  t: Parameters<typeof temporaryDirectory>[0],
  directory: string,
): Promise<{ readonly url: string; readonly id: string }> {
  const factory = await startFactory({
    ...(await servedRelease(directory)),
    listen: { host: '127.0.0.1', port: 0 },
    storage: join(directory, 'factory'),
    externalUrl: 'http://factory.example', // none that a machine could reach
  });
  t.teardown(() => factory.close());
  const url = `http://127.0.0.1:${factory.address.port}`;
  const customization = {
    extraKernelArgs: await emulatedArguments(6),
    systemExtensions: { officialExtensions: [extension] },
    bootloader: 'dual-boot',
  };
  const body = JSON.stringify({ customization });
  const response = await fetch(`${url}/schematics`, { method: 'POST', body });
  return { url, id: ((await response.json()) as { readonly id: string }).id };
}
