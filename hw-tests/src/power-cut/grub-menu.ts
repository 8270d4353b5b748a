import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);
const env = { ...process.env, MTOOLS_SKIP_CHECK: '1' };

/**
 * What GRUB would start from a disk that begins with BIOS and BOOT: hex SHA-256 of each image by the name of its entry. One without a
 * start left, or whose commands are not whole, is none.
 */
export async function grubMenuOf(image: string): Promise<ReadonlyMap<string, string>> {
  const read = async (path: string): Promise<Buffer | undefined> => {
    const options = { encoding: 'buffer', maxBuffer: 1 << 30, env } as const;
    const arguments_ = ['-i', `${image}@@2M`, `::${path}`];
    // What mtools does not find, GRUB does not either.
    return await run('mtype', arguments_, options).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
  };
  const environment = (await read('/grub/grubenv'))?.toString('latin1') ?? '';
  const found = new Map<string, string>();
  for (const slot of ['a', 'b']) {
    const [, left = '0'] = new RegExp(`^${slot}_left=(.*)$`, 'mu').exec(environment) ?? [];
    const commands = (await read(`/nodeos/${slot}.cfg`))?.toString('latin1') ?? '';
    const [, entry] = /'os\.boot\.entry=([^']+)'/u.exec(commands) ?? [];
    const isWhole = commands.endsWith(`; then set ready_${slot}=yes; fi\n`);
    const file = await read(`/nodeos/${slot}.efi`);
    if (left === '0' || left === '' || !isWhole || entry === undefined || file === undefined) continue;
    found.set(entry, createHash('sha256').update(file).digest('hex'));
  }
  return found;
}
