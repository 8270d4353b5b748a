import { print, type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { openFleet } from '../session.ts';
import { type Asked, checkAsked, findImages } from './images.ts';
import { reportOf } from './report.ts';

/**
 * Prints a document of one image, as the image factory has it.
 *
 * @param of what of an image it is of: of a version alone, all its images have the same.
 * @throws {UsageError} when machines run several images, naming them.
 */
export async function printDocument(
  flags: GlobalFlags,
  asked: Asked,
  { report, of }: { readonly report: string; readonly of: 'image' | 'version' },
  terminal: Terminal,
): Promise<void> {
  checkAsked(asked);
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  const { images, unknown } = await findImages(client, asked, terminal.signal);
  const [image] = images;
  if (image === undefined) throw new UsageError(`${unknown.join(', ')}: none says which image it runs`);
  const names = new Set(
    images.map(({ version, schematic }) => (of === 'version' ? version : `${version} with ${schematic}`)),
  );
  if (names.size > 1)
    throw new UsageError(`name one by --os-version and --schematic: ${[...names].join(', ')}`);
  await print(terminal.out, await reportOf(client, image, report, terminal.signal));
}
