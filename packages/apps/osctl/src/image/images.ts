import type { ImageInfo } from '@nodecore/api/container';
import { printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type ImageFlags = GlobalFlags & { readonly namespace: string; readonly output: string };

/** Prints the images on nodes. */
export async function listImages(flags: ImageFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async ({ client, node }) => {
    const found: ImageInfo[] = [];
    for await (const { images } of client.containers.images(flags.namespace, {
      node,
      signal: terminal.signal,
    }))
      found.push(...images);
    return found;
  });
  const images = results.flatMap(({ target, result }) =>
    result.map((image) => ({ node: target.name, ...image })),
  );
  const table = (): string =>
    new Table(['node', 'image', 'digest', 'size', 'created']).format(
      images.map(({ node, name, digest, sizeBytes, createdMillis }) => [
        node,
        name,
        digest,
        sizeBytes === undefined ? '-' : String(sizeBytes),
        new Date(Number(createdMillis)).toISOString(),
      ]),
    );
  await printFound(terminal, format, images, {
    single: false,
    text: () => (results.length === 0 ? '' : table()),
  });
  throwFailures();
}

/** Has nodes pull an image. */
export async function pullImage(reference: string, flags: ImageFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async ({ client, node }) => {
    const request = { namespace: flags.namespace, reference };
    let pulled = '';
    for await (const { name } of client.containers.pullImage(request, { node, signal: terminal.signal }))
      pulled = name;
    return pulled;
  });
  const pulled = results.map(({ target, result }) => ({ node: target.name, image: result }));
  await printFound(terminal, format, pulled, {
    single: false,
    text: () => pulled.map(({ node, image }) => `${node}: ${image}\n`).join(''),
  });
  throwFailures();
}

/** Removes an image from nodes. As a table, says nothing when it is done. */
export async function removeImage(reference: string, flags: ImageFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { namespace } = flags;
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.containers.removeImage({ namespace, reference }, { node, signal: terminal.signal }),
  );
  const removed = results.map(({ target }) => ({ node: target.name, image: reference, state: 'removed' }));
  await printFound(terminal, format, removed, { single: false, text: () => '' });
  throwFailures();
}
