import { readdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

import { callAsync } from '@nodecore/sys';

import { compile, type CompileOptions, requestOf } from './compile.ts';
import { type Answer, compileWith, inTurn } from './compiler.ts';
import { BpfError } from './errors.ts';
import {
  errorBufferSize,
  type Libpcap,
  libpcap,
  type Pcap,
  PCAP_ERROR_NO_SUCH_DEVICE,
  PCAP_ERROR_PERM_DENIED,
} from './ffi.ts';
import { fewWords } from './filter-program.ts';
import { wordsOf } from './filter-words.ts';
import { type LinkType, linkType, linkTypeOfDlt } from './link-type.ts';
import { decode, type Program } from './program.ts';

/** A filter for one network interface, and what the packets that it judges begin with. */
export type InterfaceFilter = {
  readonly program: Program;
  readonly linkType: LinkType;
};

export type InterfaceOptions = Pick<CompileOptions, 'snapLength' | 'optimize' | 'timeoutMs' | 'signal'>;

/** The kernel's ring that a handle maps; nothing is captured with ours. */
const ringBytes = 64 << 10;

/**
 * Compiles the text of a filter as `tcpdump -i` does: for the link type of a live interface, knowing VLAN tags that the
 * kernel takes out of frames. `ip broadcast` knows the netmask of the interface's first IPv4 address. `any` stands for
 * all interfaces; it has link type LINUX_SLL2, and so has every interface that only the kernel's cooked header describes.
 * The interface is opened for a moment, which needs CAP_NET_RAW.
 *
 * @throws {BpfError} as {@link compile}, and `ERR_BPF_INTERFACE` or `ERR_BPF_DENIED`.
 */
export async function compileForInterface(
  name: string,
  text: string,
  options: InterfaceOptions = {},
): Promise<InterfaceFilter> {
  const netmask = netmaskOf(name);
  const request = requestOf(text, { ...options, netmask });
  const words = wordsOf(text);
  const { dlt, answer } = await inTurn(async () => {
    const lib = libpcap();
    const handle = await openInterface(lib, name, request.snapLength);
    try {
      const dlt = modernLinkType(lib, handle);
      // Long filters are not for our own process; see CompilerProcess.
      const answer: Answer | undefined =
        words.length <= fewWords && !text.includes('\0')
          ? await compileWith(lib, handle, request)
          : undefined;
      return { dlt, answer };
    } finally {
      lib.pcap_close(handle);
    }
  }, options.signal);
  const type = linkTypeOfDlt(dlt);
  if (type === undefined)
    throw new BpfError('ERR_BPF_LINK_TYPE', `${name} has link type ${dlt}, without a name`);
  const compiled = answer !== undefined && 'instructions' in answer ? answer.instructions : undefined;
  if (compiled !== undefined && isAccepted(compiled)) return { program: decode(compiled), linkType: type };
  // Finds the place of an error; and where libpcap's own program for tags beside the frame is one that the kernel
  // refuses (tcpdump then filters in user space), as it is for a tunnel behind `vlan`, makes one that it takes.
  const program = await compile(text, { ...options, netmask, linkType: type.name, vlanOffload: true });
  return { program, linkType: type };
}

/** Where there is nothing but the kernel's cooked header, the second version of it, as tcpdump takes for `any`. */
function modernLinkType(lib: Libpcap, handle: Pcap): number {
  const sll2 = linkType('LINUX_SLL2').dlt;
  if (lib.pcap_datalink(handle) === linkType('LINUX_SLL').dlt) lib.pcap_set_datalink(handle, sll2);
  return lib.pcap_datalink(handle);
}

function isAccepted(instructions: Uint8Array): boolean {
  try {
    return decode(instructions).length > 0;
  } catch {
    return false;
  }
}

/** Opens, without promiscuous mode: nothing about the interface changes. */
async function openInterface(lib: Libpcap, name: string, snapLength: number): Promise<Pcap> {
  const words = new Uint8Array(errorBufferSize);
  const handle = lib.pcap_create(name, words);
  if (handle === null)
    throw await unusable(
      name,
      Buffer.from(words)
        .toString('latin1')
        .replace(/\0[^]*/, ''),
    );
  try {
    lib.pcap_set_snaplen(handle, snapLength);
    lib.pcap_set_buffer_size(handle, ringBytes);
    const status = await callAsync(lib.pcap_activate, handle);
    if (status === PCAP_ERROR_PERM_DENIED) {
      throw new BpfError('ERR_BPF_DENIED', `interface ${name}: CAP_NET_RAW is needed to open it`);
    }
    if (status === PCAP_ERROR_NO_SUCH_DEVICE) throw await unusable(name, 'there is no such interface');
    if (status < 0) throw await unusable(name, lib.pcap_geterr(handle) || lib.pcap_statustostr(status));
    return handle;
  } catch (error) {
    lib.pcap_close(handle);
    throw error;
  }
}

async function unusable(name: string, why: string): Promise<BpfError> {
  const existing = await readdir('/sys/class/net').catch(() => []);
  const list =
    existing.length === 0 ? '' : `; there are ${existing.toSorted((a, b) => a.localeCompare(b)).join(', ')}`;
  return new BpfError('ERR_BPF_INTERFACE', `interface ${name}: ${why}${list}`, { token: name });
}

/** `ip broadcast` is true of all ones, of all zeros, and of the network's own address for everybody, if it has one. */
function netmaskOf(name: string): string {
  const address = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4');
  return address?.netmask ?? '0.0.0.0';
}
