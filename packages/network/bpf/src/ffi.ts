/**
 * libpcap.so.0.8, function by function, exactly as its header has them. No logic here. The names stay in C spelling so
 * that they can be searched in the manual. koffi and the library are loaded at first use: whoever only reads, prints,
 * checks or runs programs never loads either.
 */
import { koffi, lazy, loadLibrary } from '@nodecore/sys';
import type { KoffiFunc } from 'koffi';

// Koffi pointers are bare bigints: C would accept any of them anywhere. The brand makes tsc refuse.
declare const brand: unique symbol;
export type Pcap = bigint & { readonly [brand]: 'pcap_t' };
export type Instructions = bigint & { readonly [brand]: 'bpf_insn' };

export type BpfProgramStruct = { bf_len: number; bf_insns: Instructions | null };

/** sizeof(struct bpf_insn): u16 code, u8 jt, u8 jf, u32 k in the machine's byte order. */
export const sizeofInstruction = 8;
/** PCAP_ERRBUF_SIZE */
export const errorBufferSize = 256;
export const PCAP_ERROR_NO_SUCH_DEVICE = -5;
export const PCAP_ERROR_PERM_DENIED = -8;

/** The functions we use. pcap_compile may look names up and pcap_activate asks the kernel: both are called asynchronously. */
export type Libpcap = {
  readonly pcap_open_dead: KoffiFunc<(linktype: number, snaplen: number) => Pcap | null>;
  readonly pcap_create: KoffiFunc<(source: string, errbuf: Uint8Array) => Pcap | null>;
  readonly pcap_set_snaplen: KoffiFunc<(p: Pcap, snaplen: number) => number>;
  readonly pcap_set_buffer_size: KoffiFunc<(p: Pcap, buffer_size: number) => number>;
  readonly pcap_activate: KoffiFunc<(p: Pcap) => number>;
  readonly pcap_datalink: KoffiFunc<(p: Pcap) => number>;
  readonly pcap_set_datalink: KoffiFunc<(p: Pcap, dlt: number) => number>;
  readonly pcap_compile: KoffiFunc<
    (p: Pcap, fp: BpfProgramStruct, str: string, optimize: number, netmask: number) => number
  >;
  readonly pcap_freecode: KoffiFunc<(fp: BpfProgramStruct) => void>;
  readonly pcap_geterr: KoffiFunc<(p: Pcap) => string>;
  readonly pcap_statustostr: KoffiFunc<(error: number) => string>;
  /** Takes the pointer: it is dead after this call. */
  readonly pcap_close: KoffiFunc<(p: Pcap) => void>;
};

/** The library, loaded at first use. Throws `LibraryError` where it is not installed. */
export const libpcap: () => Libpcap = lazy(() => {
  const lib = loadLibrary('libpcap.so.0.8', { debian: 'libpcap0.8', fedora: 'libpcap' });
  koffi().opaque('pcap_t');
  koffi().struct('bpf_program', { bf_len: 'unsigned int', bf_insns: 'void *' });
  return {
    pcap_open_dead: lib.func('pcap_t *pcap_open_dead(int linktype, int snaplen)'),
    pcap_create: lib.func('pcap_t *pcap_create(const char *source, _Out_ uint8_t *errbuf)'),
    pcap_set_snaplen: lib.func('int pcap_set_snaplen(pcap_t *p, int snaplen)'),
    pcap_set_buffer_size: lib.func('int pcap_set_buffer_size(pcap_t *p, int buffer_size)'),
    pcap_activate: lib.func('int pcap_activate(pcap_t *p)'),
    pcap_datalink: lib.func('int pcap_datalink(pcap_t *p)'),
    pcap_set_datalink: lib.func('int pcap_set_datalink(pcap_t *p, int dlt)'),
    pcap_compile: lib.func(
      'int pcap_compile(pcap_t *p, _Out_ bpf_program *fp, const char *str, int optimize, uint32_t netmask)',
    ),
    pcap_freecode: lib.func('void pcap_freecode(_Inout_ bpf_program *fp)'),
    pcap_geterr: lib.func('const char *pcap_geterr(pcap_t *p)'),
    pcap_statustostr: lib.func('const char *pcap_statustostr(int error)'),
    pcap_close: lib.func('void pcap_close(pcap_t *p)'),
  };
});

/** Copies the instructions out of the library's memory. */
export function copyInstructions(instructions: Instructions, count: number): Uint8Array {
  const bytes: unknown = koffi().decode(instructions, 'uint8_t', count * sizeofInstruction);
  return Uint8Array.from(bytes as ArrayLike<number>);
}
