import { parse } from '@nodecore/config';
import { Backoff, type Clock } from '@nodecore/waiting';

/** Where the boot medium and the platform say what to dial. */
export type MediumLinkParts = {
  /** What they say of the node; anew for each call. */
  readonly text: () => Promise<string | undefined>;
  /** Whether they could not be asked the last time. */
  readonly isPending: () => boolean;
  /** Whether a configuration says it, which comes before them. */
  readonly isTold: () => boolean;
  readonly clock: Pick<Clock, 'sleep'>;
};

/**
 * The URLs that they say to dial: the first at once, undefined where none is said yet. A disk is known, and a server answers, later than
 * the node begins: they are asked again until one is said.
 */
export async function* mediumLinks(
  { text, isPending, isTold, clock }: MediumLinkParts,
  signal: AbortSignal,
): AsyncGenerator<string | undefined, void, undefined> {
  const backoff = new Backoff({ firstMs: 2000, largestMs: 60_000 });
  for (;;) {
    const url = linkOf(await text());
    // Others ask, too: whether it waits is what this answer was.
    const waits = url === undefined && isPending();
    yield url;
    if (!waits) return;
    await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
    if (signal.aborted || isTold()) return;
  }
}

/** The URL of a configuration that need not be complete. */
function linkOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  using configuration = parse(text);
  return configuration.get('LinkAgentConfig')?.apiUrl.bytes.toString('utf8');
}
