import { type InstallResponse, type UpgradeResponse, UpgradePhase } from '@nodecore/api/lifecycle';
import { shortSize, type Tell } from '@nodecore/cli';

/** What a node has said of a release that it was to write. */
export type WrittenRelease = {
  /** 0: it did. */
  readonly exitCode: number;
  readonly entry: string;
  readonly version: string;
  /** The last sentence: what was done, or why it was not. */
  readonly message: string;
};

/** Tells what a node says while it writes a release. */
export async function followRelease(
  node: string,
  answers: AsyncIterable<UpgradeResponse | InstallResponse>,
  tell: Tell,
): Promise<WrittenRelease> {
  let written = { entry: '', version: '', message: '' };
  let exitCode: number | undefined;
  let shown = '';
  for await (const answer of answers) {
    if (answer.exitCode !== undefined) exitCode = answer.exitCode;
    if (answer.message === '') continue;
    const { message, entry, version } = answer;
    const percent = percentOf(answer);
    const line =
      percent === undefined ? message : `${message}: ${percent} % of ${shortSize(answer.totalBytes)}`;
    if (line !== shown) tell(node, line, percent === undefined ? undefined : { what: message, percent });
    shown = line;
    written = { message, entry: entry || written.entry, version: version || written.version };
  }
  return { ...written, exitCode: exitCode ?? 1 };
}

function percentOf({ phase, doneBytes, totalBytes }: UpgradeResponse | InstallResponse): number | undefined {
  const isCounted = phase === UpgradePhase.PULL || phase === UpgradePhase.WRITE;
  return isCounted && totalBytes > 0n ? Number((doneBytes * 100n) / totalBytes) : undefined;
}
