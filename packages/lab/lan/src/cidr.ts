import { isIPv4 } from 'node:net';

/** Address and prefix length of an IPv4 network; undefined when the text is none. */
export function parseCidr(text: string): { readonly address: string; readonly length: number } | undefined {
  const [address = '', bits = '', ...more] = text.split('/');
  const length = Number(bits);
  if (more.length > 0 || !isIPv4(address) || !/^\d{1,2}$/.test(bits) || length > 32) return undefined;
  return { address, length };
}

/** The n-th address of an IPv4 network; 0 is the network itself. */
export function hostAddress(
  cidr: { readonly address: string; readonly length: number },
  index: number,
): string {
  const number = (networkOf(cidr.address, cidr.length) + index) >>> 0;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** The network's number of an address. */
export function networkOf(address: string, length: number): number {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const mask = length === 0 ? 0 : (0xffff_ffff << (32 - length)) >>> 0;
  return (number & mask) >>> 0;
}
