import { stat } from 'node:fs/promises';

/** Whether a directory has what a cache has. */
export async function isCache(path: string): Promise<boolean> {
  return (await stat(`${path}/manifests`).catch(() => undefined))?.isDirectory() === true;
}
