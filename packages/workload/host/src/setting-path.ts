import { HostError } from './errors.ts';

/**
 * The path below `/proc/sys` or `/sys` of a key: its parts are separated by dots, or by slashes where one of them has a dot
 * (`net/ipv4/conf/eth0.100/forwarding`). As documents have it.
 *
 * @throws {HostError} `ERR_HOST_NAME` for a key that is no path below the directory.
 */
export function settingPath(key: string): string {
  const path = key.includes('/') ? key : key.replaceAll('.', '/');
  const parts = path.split('/');
  // eslint-disable-next-line no-control-regex -- what a key must not have
  if (/[\u0000-\u0020\u007f]/u.test(key))
    throw new HostError('ERR_HOST_NAME', key, 'has blanks or control characters');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new HostError('ERR_HOST_NAME', key, 'is no path below the directory');
  return path;
}
