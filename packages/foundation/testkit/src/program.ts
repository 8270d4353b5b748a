import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where scripts/setup unpacks programs; before the path, which may have an etcd that is too old. */
const unpacked = [
  'bird',
  'etcd',
  'chrony',
  'debsecan',
  'docker-registry',
  'fish',
  'ipmitool',
  'nginx',
  'passt',
  'postgresql',
  'promtool',
  'spdx-tools',
  'unbound',
  'zsh',
].map((name) => fileURLToPath(new URL(`../../../../.cache/${name}`, import.meta.url)));

/** The full path of a program, also of those that only root's path or the checkout has; undefined when there is none. */
export function findProgram(name: string): string | undefined {
  const directories = [...unpacked, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

/** The full path of `etcd`, `etcdctl` or `etcdutl`. */
export function etcdProgram(name: 'etcd' | 'etcdctl' | 'etcdutl'): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`no ${name} on this machine: run scripts/setup`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
