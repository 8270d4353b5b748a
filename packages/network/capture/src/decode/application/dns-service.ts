import type { Reader } from '../reader.ts';
import { hexText, safeText } from '../text.ts';

const keys: readonly string[] = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
];
const maxParameters = 16;
const maxValues = 16;

/** Parameters of SVCB and HTTPS records (RFC 9460, section 2.1), with a space before each. */
export function readServiceParameters(data: Reader): string {
  let text = '';
  for (let index = 0; data.left >= 4 && index < maxParameters; index += 1) {
    const key = data.u16();
    const value = data.slice(data.u16());
    const name = keys[key] ?? `key${key}`;
    const shown = readValue(name, value);
    text += shown === '' ? ` ${name}` : ` ${name}=${shown}`;
  }
  return text;
}

function readValue(name: string, value: Reader): string {
  const list = (read: () => string, size: number): string => {
    const values: string[] = [];
    while (value.left >= size && values.length < maxValues) values.push(read());
    return values.join(',');
  };
  switch (name) {
    case 'mandatory':
      return list(() => {
        const key = value.u16();
        return keys[key] ?? `key${key}`;
      }, 2);
    case 'alpn':
      return list(() => safeText(value.take(value.u8())), 1);
    case 'port':
      return String(value.u16());
    case 'ipv4hint':
      return list(() => value.ipv4(), 4);
    case 'ipv6hint':
      return list(() => value.ipv6(), 16);
    case 'dohpath':
      return safeText(value.take(value.left));
    default:
      return hexText(value.take(value.left));
  }
}
