import { execFile } from 'node:child_process';

export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs a program to its end and returns whatever it said; a program that can't be started rejects.
 * Root's directories are in its path, and it speaks the C locale.
 */
export function command(
  argv: readonly [string, ...string[]],
  options: {
    readonly input?: string | Uint8Array;
    readonly env?: NodeJS.ProcessEnv;
    readonly cwd?: string;
  } = {},
): Promise<CommandResult> {
  const [file, ...args] = argv;
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, ...options.env };
  return new Promise((resolve, reject) => {
    const { cwd } = options;
    const child = execFile(file, args, { env, cwd, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else reject(error);
    });
    child.stdin?.on('error', () => {}); // a program may end without reading all its input
    child.stdin?.end(options.input ?? '');
  });
}

/** The standard output of a program that must succeed. */
export async function output(
  argv: readonly [string, ...string[]],
  options: { readonly input?: string | Uint8Array; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const result = await command(argv, options);
  if (result.code !== 0) {
    throw new Error(
      `${argv.join(' ')}: exit ${result.code}: ${result.stderr.trim() || result.stdout.trim()}`,
    );
  }
  return result.stdout;
}
