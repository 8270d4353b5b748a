import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const addon = process.env['NODECORE_NATIVE'];
const build =
  addon === undefined
    ? new URL('../../../../native/build/', import.meta.url)
    : new URL('../', `file://${addon}`);
/** Built with the addon; see native/test/flood.cc. */
export const floodProgram: string = fileURLToPath(new URL('flood', build));

export type Flood = {
  readonly on: string;
  readonly frameBytes: number;
  readonly count: number;
  readonly perSecond?: number;
  /** Of the tag that each frame gets. */
  readonly vlan?: number;
};

/** Sends UDP frames with running numbers on an interface. @returns how many went out. */
export async function flood({ on, frameBytes, count, perSecond = 0, vlan = 0 }: Flood): Promise<bigint> {
  const numbers = [frameBytes, count, perSecond, vlan].map(String);
  const { stdout } = await promisify(execFile)(floodProgram, [on, ...numbers]);
  return BigInt(stdout.split(' ')[0] ?? '');
}
