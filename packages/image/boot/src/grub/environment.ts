import { BootError } from '../errors.ts';

/** Variables that GRUB keeps between two starts. */
export type GrubEnvironment = ReadonlyMap<string, string>;

/** GRUB takes a block of this size and no other. */
export const environmentSizeBytes = 1024;
/** A disk writes a sector whole or not at all: with all variables in the first one, no power cut mixes two states. */
const sectorSizeBytes = 512;
const signature = '# GRUB Environment Block\n';

/**
 * The variables of a block; undefined when it is none, which GRUB would not read either.
 */
export function parseEnvironment(block: Uint8Array): GrubEnvironment | undefined {
  const text = Buffer.from(block).toString('latin1');
  if (block.length !== environmentSizeBytes || !text.startsWith(signature)) return undefined;
  const variables = new Map<string, string>();
  for (const line of text.slice(signature.length).split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/u.exec(line) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, value);
  }
  return variables;
}

/**
 * A block with these variables, all of them in its first sector.
 *
 * @throws {BootError} `ERR_BOOT_ENVIRONMENT` for what can not be in one, or does not fit.
 */
export function formatEnvironment(variables: GrubEnvironment): Buffer {
  const lines = Array.from(variables, ([name, value]) => {
    if (/^\w+$/u.test(name) && /^[ -[\]-~]*$/u.test(value)) return `${name}=${value}\n`;
    throw new BootError('ERR_BOOT_ENVIRONMENT', `GRUB can't keep ${JSON.stringify(value)} as ${name}`);
  });
  const text = `${signature}${lines.join('')}`;
  if (text.length > sectorSizeBytes)
    throw new BootError('ERR_BOOT_ENVIRONMENT', `${text.length} bytes of variables are more than a sector`);
  return Buffer.from(text.padEnd(environmentSizeBytes, '#'), 'latin1');
}
