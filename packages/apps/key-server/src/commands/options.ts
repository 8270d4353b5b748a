import { type SocketAddress, parseSocketAddress } from '@nodecore/sys';

import { InvalidArgumentError, Option } from 'commander';
import type { Rate } from '@nodecore/waiting';

/** Where the service of a distribution keeps its state. */
const defaultRing = '/var/lib/nodecore-kms/ring';

/** `--ring` of `serve` and of the `ring` commands; the default is the ring of the packaged service. A new object for each. */
export function ringOption(): Option {
  return new Option('--ring <file>', 'the key ring, mode 0600').default(defaultRing);
}

/** For options: takes no names of hosts. @throws {InvalidArgumentError} for anything but `address:port`: exit code 2. */
export function address(text: string): SocketAddress {
  const parsed = parseSocketAddress(text);
  if (parsed === undefined) throw new InvalidArgumentError('must be address:port, IPv6 in brackets');
  return parsed;
}

/** `60,1`: calls at once, and calls a second after that. */
export function rate(text: string): Rate {
  const match = /^(\d{1,6}),(\d{1,6}(?:\.\d{1,3})?)$/.exec(text);
  const [burst, perSecond] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || burst < 1 || perSecond <= 0)
    throw new InvalidArgumentError('must be burst,per-second, as in 60,1');
  return { burst, perSecond };
}
