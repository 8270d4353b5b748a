import { BuildError } from './errors.ts';
import { checkout } from './paths.ts';
import { run } from './run.ts';

/** When the sources were committed, unless the usual variable says another time (reproducible-builds.org). */
export async function sourceTime(): Promise<string> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const seconds =
    given ??
    (await run('git', ['log', '-1', '--format=%ct'], checkout).catch(() => ({ stdout: '0' }))).stdout;
  const time = new Date(Number(seconds) * 1000);
  if (Number.isNaN(time.getTime())) throw new BuildError('ERR_BUILD_CONTENT', `no time: ${seconds}`);
  return `${time.toISOString().slice(0, 19)}Z`;
}
