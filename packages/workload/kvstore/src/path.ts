import { KvstoreError } from './errors.ts';

/** System calls end a path at a NUL: they would use another file. @throws {KvstoreError} `ERR_KVSTORE_INVALID` */
export function requirePath(path: string): void {
  if (!path.includes('\0')) return;
  throw new KvstoreError('ERR_KVSTORE_INVALID', JSON.stringify(path), 'has a NUL, which no path has');
}
