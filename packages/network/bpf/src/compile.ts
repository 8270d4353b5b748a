import { type Answer, compileOnce, type Request } from './compiler.ts';
import { CompilerProcess, tooComplex } from './compiler-process.ts';
import { filterError } from './filter-error.ts';
import { checkedWords, fewWords, programOf } from './filter-program.ts';
import type { Word } from './filter-words.ts';
import { linkType } from './link-type.ts';
import type { Program } from './program.ts';
import { withVlanOffload } from './vlan.ts';

export type CompileOptions = {
  /** Name of the link type; `EN10MB`, Ethernet, by default. */
  readonly linkType?: string;
  /** How many bytes of an accepted packet are wanted, from 1 to 2^31-1; 262144, tcpdump's default, if not given. */
  readonly snapLength?: number;
  /** Mask of the network, which `ip broadcast` needs: `255.255.255.0`. */
  readonly netmask?: string;
  /** Off: the program as libpcap's code generator left it, for study. */
  readonly optimize?: boolean;
  /**
   * The program will run where the kernel has taken the VLAN tag out of the frame, which it does on every live Ethernet
   * interface before a filter runs: `vlan` asks the kernel for the tag as well as the frame. Without it, `vlan` finds
   * tags in the frame only, as in capture files. Only for Ethernet; always optimised.
   */
  readonly vlanOffload?: boolean;
  /** How long a long filter may take, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

const unknownNetmask = 0xffffffff;

/**
 * Compiles the text of a filter (pcap-filter(7)) with libpcap. Names of hosts, networks and services are looked up on
 * this machine; a look-up that has begun can't be aborted.
 *
 * @throws {BpfError} `ERR_BPF_FILTER` with column, word and a caret below it in the message, `ERR_BPF_COMPLEX`,
 *   `ERR_BPF_LINK_TYPE`; `LibraryError` where libpcap is not installed.
 */
export async function compile(text: string, options: CompileOptions = {}): Promise<Program> {
  const request = requestOf(text, options);
  const words = checkedWords(text);
  return withCompiler(words, options, async (run) => {
    const compileText = (variant: string) => compileTo(run, { ...request, text: variant });
    const program = await compileText(text);
    const isEthernet = request.dlt === linkType('EN10MB').dlt;
    return options.vlanOffload === true && isEthernet
      ? withVlanOffload(program, words, text, compileText)
      : program;
  });
}

type Run = (request: Request) => Promise<Answer>;

/** The settings of a request; throws a `RangeError` for values that no request can have. */
export function requestOf(text: string, options: CompileOptions): Request {
  const { snapLength = 262_144, netmask, optimize = true } = options;
  if (!Number.isInteger(snapLength) || snapLength < 1 || snapLength > 0x7fffffff) {
    throw new RangeError(`snapLength is ${snapLength}, not a whole number from 1 to 2^31-1`);
  }
  return {
    text,
    dlt: linkType(options.linkType ?? 'EN10MB').dlt,
    snapLength,
    netmask: netmask === undefined ? unknownNetmask : numberOf(netmask),
    optimize: optimize || options.vlanOffload === true,
  };
}

/** An IPv4 address as a number, in the machine's own byte order: that is how libpcap computes with the mask. */
function numberOf(address: string): number {
  const bytes = address.split('.').map(Number);
  if (!/^\d+(\.\d+){3}$/.test(address) || bytes.some((byte) => byte > 255)) {
    throw new RangeError(`${JSON.stringify(address)} is not an IPv4 address`);
  }
  return new DataView(Uint8Array.from(bytes).buffer).getUint32(0);
}

async function withCompiler<T>(
  words: readonly Word[],
  { signal, timeoutMs = 30_000 }: CompileOptions,
  use: (run: Run) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  if (words.length <= fewWords) return use((request) => compileOnce(request, signal));
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  await using compiler = new CompilerProcess();
  try {
    return await use((request) => compiler.compile(request, either));
  } catch (error) {
    signal?.throwIfAborted();
    throw timeout.aborted ? tooComplex(`it took more than ${timeoutMs} ms`) : error;
  }
}

async function compileTo(run: Run, request: Request): Promise<Program> {
  const answer = await run(request);
  if ('instructions' in answer) return programOf(answer.instructions);
  const attempt = (text: string) => run({ ...request, text, optimize: false });
  throw await filterError(request.text, answer.error, attempt);
}
