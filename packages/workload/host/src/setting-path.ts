import { HostError } from './errors.ts';

/**
 * The path below `/proc/sys` or `/sys` of a key. The first separator decides: after a `.` every `.` separates and a `/` stands
 * for a dot inside a name (`net.ipv4.conf.eth0/100.forwarding`), after a `/` the key is the path. As sysctl.d(5) has it.
 *
 * @throws {HostError} `ERR_HOST_NAME` for a key that is no path below the directory.
 */
export function settingPath(key: string): string {
  const dotted = /^[^./]*\./u.test(key);
  const path = dotted ? key.replaceAll(/[./]/gu, (sign) => (sign === '.' ? '/' : '.')) : key;
  const parts = path.split('/');
  // eslint-disable-next-line no-control-regex -- what a key must not have
  if (/[\u0000-\u0020\u007f]/u.test(key))
    throw new HostError('ERR_HOST_NAME', key, 'has blanks or control characters');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new HostError('ERR_HOST_NAME', key, 'is no path below the directory');
  return path;
}
