import { type Extent, View } from '@nodecore/view';

/** A piece of a view, with its SHA-256 in hex. */
export type Part = { readonly view: View; readonly sha256: string };

/** Smaller files are hashed with their neighbours: each part is a request of who pulls it. */
const smallestBytes = 1 << 20;

/**
 * Cuts a view where files begin and end whose digests are known, so that no byte of these is read. What lies between is hashed.
 *
 * @param known hex SHA-256 of files, by path.
 */
export async function partsOf(view: View, known: ReadonlyMap<string, string>): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let between: Extent[] = [];
  const end = async (): Promise<void> => {
    const piece = View.of(...between);
    between = [];
    if (piece.size > 0) parts.push({ view: piece, sha256: (await piece.digest('sha256')).toString('hex') });
  };
  for (const extent of view.extents) {
    const sha256 = digestOfWhole(extent, known);
    if (sha256 === undefined) between.push(extent);
    else {
      await end();
      parts.push({ view: View.of(extent), sha256 });
    }
  }
  await end();
  return parts;
}

/** Undefined unless it is all of a large file whose digest is known. */
function digestOfWhole(extent: Extent, known: ReadonlyMap<string, string>): string | undefined {
  if (extent.kind !== 'file' || extent.size < smallestBytes) return undefined;
  const isWhole = extent.offset === 0 && extent.size === extent.identity?.size;
  return isWhole ? known.get(extent.path) : undefined;
}
