import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { ImageError } from './errors.ts';

/** What every image gives its kernel. */
export const defaultArguments: readonly string[] = [
  'slab_nomerge=',
  'pti=on',
  'consoleblank=0',
  'printk.devkmsg=on',
  // A kernel that panics before its first program can ask for it stands still for ever without, and no start is counted.
  'panic=10',
  'selinux=1',
  'module.sig_enforce=1',
  'proc_mem.force_override=never',
];

/** What only images for Secure Boot give it: the kernel lets nobody read or change it, root included. */
export const secureBootArguments: readonly string[] = ['lockdown=confidentiality'];

/** What an argument of a user replaces; all others are added. */
const replaced: ReadonlySet<string> = new Set(['console', kernelArgument.platform, 'panic']);
/** COMMAND_LINE_SIZE of the kernel, with the zero at its end. */
const maxSizeBytes = 2048;

export type CommandLineOptions = {
  /** `metal`, …: where configuration comes from. */
  readonly platform: string;
  /** What the platform needs: consoles, mostly. */
  readonly platformArguments?: readonly string[];
  readonly isSecureBoot?: boolean;
  /** Of the user, one argument each. `-name` takes all arguments of that name out; `console` and `os.platform` replace. */
  readonly extraArguments?: readonly string[];
};

/**
 * The command line of the kernel.
 *
 * @throws {ImageError} `ERR_IMAGE_COMMAND_LINE` for an argument that the kernel would read as two, or as none, and for more than 2047 bytes.
 */
export function commandLine(options: CommandLineOptions): string {
  const { platform, platformArguments = [], isSecureBoot = false, extraArguments = [] } = options;
  let line = [
    `${kernelArgument.platform}=${platform}`,
    ...platformArguments,
    ...defaultArguments,
    ...(isSecureBoot ? secureBootArguments : []),
  ];
  const taken = new Set<string>();
  for (const argument of [...line, ...extraArguments]) assertArgument(argument);
  for (const argument of extraArguments) {
    const name = nameOf(argument);
    if (argument.startsWith('-')) {
      line = line.filter((other) => nameOf(other) !== name.slice(1));
      continue;
    }
    // The first one of a name takes those of the image out; a second one is another console.
    if (replaced.has(name) && !taken.has(name)) line = line.filter((other) => nameOf(other) !== name);
    taken.add(name);
    line.push(argument);
  }
  const text = line.join(' ');
  if (Buffer.byteLength(text) >= maxSizeBytes) {
    throw new ImageError(
      'ERR_IMAGE_COMMAND_LINE',
      `${Buffer.byteLength(text)} bytes: the kernel cuts off behind 2047`,
    );
  }
  return text;
}

function nameOf(argument: string): string {
  return argument.split('=', 1)[0] ?? '';
}

/** Printable ASCII; spaces only inside quotes, `name="a b"`, as the kernel's own parser has them. */
function assertArgument(argument: string): void {
  const isPlain = /^[!#-~]+$/.test(argument);
  const isQuoted = /^[!#-<>-~]+="[ !#-~]*"$/.test(argument);
  if ((isPlain || isQuoted) && argument !== '-' && !argument.startsWith('=')) return;
  throw new ImageError('ERR_IMAGE_COMMAND_LINE', `${JSON.stringify(argument)} is no argument of a kernel`);
}
