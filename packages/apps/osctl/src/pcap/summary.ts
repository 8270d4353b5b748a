import { CaptureEnd, type CaptureCounts, type CaptureReport, type CaptureStart } from '@nodecore/api/capture';
import { linkTypeOfFile } from '@nodecore/bpf';

/** What is captured: `capturing on eth0 (EN10MB)`. */
export function beginning({ sources, path }: CaptureStart): string {
  const names = sources.map(
    ({ name, linkType }) => `${name} (${linkTypeOfFile(linkType)?.name ?? linkType})`,
  );
  return `capturing on ${names.join(', ')}${path === '' ? '' : `, on the node into ${path}`}`;
}

/** The program of each interface, in lines. */
export function programs({ sources }: CaptureStart): readonly string[] {
  return sources.flatMap(({ name, program }) => [`${name} runs`, ...program.trimEnd().split('\n')]);
}

/** Why it has ended, where it is not what the user asked for. */
const reasons: Readonly<Record<number, string>> = {
  [CaptureEnd.SPACE]: 'the node has no more room for the file',
};

/** What became of packets: `12 packets received, 0 dropped`. */
export function ending(counts: CaptureCounts, report: CaptureReport | undefined): string {
  const { seen, received, dropped, truncated = 0n } = counts;
  const left = seen - received - dropped;
  const reason = report === undefined ? 'the end was not waited for' : reasons[report.end];
  return [
    `${received} ${received === 1n ? 'packet' : 'packets'} received`,
    `${dropped} dropped`,
    ...(truncated > 0n ? [`${truncated} cut to the snap length`] : []),
    ...(left > 0n && report !== undefined ? [`${left} left behind at the end`] : []),
    ...(reason === undefined ? [] : [reason]),
  ].join(', ');
}
