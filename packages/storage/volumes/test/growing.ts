import { statfs } from 'node:fs/promises';

import { type Mounted, userSpec } from './specs.ts';

/** A partition volume that takes room when there is some, up to a limit. */
export function growing(target: string, match: string, maxMiB?: number): Mounted {
  const spec = userSpec('data', match);
  const bytes = BigInt(maxMiB ?? 0) << 20n;
  const maxSize = { kind: 'bytes', bytes, negative: false, text: `${maxMiB}MiB` } as const;
  return {
    ...spec,
    partition: {
      typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
      minSize: 100n << 20n,
      grow: true,
      ...(maxMiB === undefined ? {} : { maxSize }),
    },
    mount: { ...spec.mount, target },
  };
}

/** What a mounted filesystem offers, a little less than its device has. */
export async function capacityMiB(target: string): Promise<number> {
  const { blocks, bsize } = await statfs(target);
  return (blocks * bsize) / (1 << 20);
}
