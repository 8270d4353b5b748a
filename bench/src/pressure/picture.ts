import type { Recording, Sample } from './recording.ts';

const width = 760;
const panel = { left: 64, right: 16, height: 150 };
const top = 48;
const gap = 46;
const mib = 2 ** 20;
const inner = width - panel.left - panel.right;

type Panel = {
  readonly title: string;
  readonly unit: string;
  readonly y: number;
  readonly most: number;
};

/** A recorded run as a picture: memory of both jobs above, stall per second below, and what happened when. */
export function picture(recording: Recording): string {
  const { samples, limit, moments, machine, date } = recording;
  const lastMs = samples.at(-1)?.ms ?? 1;
  const x = (ms: number): number => panel.left + (inner * ms) / lastMs;
  const memory: Panel = { title: 'memory.current', unit: 'MiB', y: top, most: (limit / mib) * 1.5 };
  const stall: Panel = {
    title: 'memory.pressure of /jobs: some, per second of time that passed',
    unit: '%',
    y: top + panel.height + gap,
    most: 100,
  };
  const bottom = stall.y + panel.height;
  const line = (at: Panel, of: (each: Sample) => number): string =>
    samples.map((each) => `${x(each.ms).toFixed(1)},${height(at, of(each)).toFixed(1)}`).join(' ');
  const stalls = new Map(samples.map((each, index) => [each, stallPercent(samples[index - 5], each)]));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 44}" role="img" font-family="sans-serif" font-size="12">
<title>A pressure policy freezes the hog and lets it go on</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${panel.left}" y="18" font-size="11" fill="#666">${machine}, ${date}</text>
${frozenBands(samples, x, top, bottom)}
${[memory, stall].map((each) => frame(each)).join('\n')}
<line x1="${panel.left}" x2="${width - panel.right}" y1="${height(memory, limit / mib)}" y2="${height(memory, limit / mib)}" stroke="#999" stroke-dasharray="4 3"/>
<polyline fill="none" stroke="#c0392b" stroke-width="1.6" points="${line(memory, ({ hog }) => hog / mib)}"/>
<polyline fill="none" stroke="#2471a3" stroke-width="1.6" points="${line(memory, ({ bystander }) => bystander / mib)}"/>
<polyline fill="none" stroke="#7d3c98" stroke-width="1.6" points="${line(stall, (each) => stalls.get(each) ?? 0)}"/>
<text x="${width - panel.right - 4}" y="${top + 14}" text-anchor="end"><tspan fill="#c0392b">hog</tspan> <tspan fill="#2471a3">bystander</tspan> <tspan fill="#777">what both may have</tspan></text>
${moments.map((each, index) => moment(x(each.ms), each.what, index)).join('\n')}
${seconds(lastMs, x, bottom)}
</svg>
`;

  function moment(at: number, what: string, index: number): string {
    const y = stall.y - 28 + (index % 2) * 12;
    return `<line x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${top}" y2="${bottom}" stroke="#444" stroke-width="0.8"/><text x="${(at + 3).toFixed(1)}" y="${y}" font-size="10" fill="#222">${escaped(what)}</text>`;
  }
}

function height({ y, most }: Panel, value: number): number {
  return y + panel.height - (panel.height * Math.min(value, most)) / most;
}

/** Share of the time that passed between two looks, not of what lay between them by plan. */
function stallPercent(before: Sample | undefined, now: Sample): number {
  if (before === undefined || now.ms <= before.ms) return 0;
  return Math.min(100, (now.stallUs - before.stallUs) / (now.ms - before.ms) / 10);
}

function frame(at: Panel): string {
  const { y, title, unit, most } = at;
  const marks = [0, most / 2, most].map((value) => {
    const h = height(at, value);
    return `<text x="${panel.left - 6}" y="${h + 4}" text-anchor="end" fill="#555">${Math.round(value)}</text><line x1="${panel.left}" x2="${width - panel.right}" y1="${h}" y2="${h}" stroke="#e3e3e3"/>`;
  });
  return `${marks.join('')}<text x="${panel.left}" y="${y - 6}" fill="#333">${escaped(title)} (${unit})</text>`;
}

/** Where the hog stood still. */
function frozenBands(
  samples: readonly Sample[],
  x: (ms: number) => number,
  from: number,
  to: number,
): string {
  const bands: string[] = [];
  for (const [index, each] of samples.entries()) {
    const next = samples[index + 1];
    if (!each.frozen || next === undefined) continue;
    const wide = x(next.ms) - x(each.ms) + 0.5;
    bands.push(
      `<rect x="${x(each.ms).toFixed(1)}" y="${from}" width="${wide.toFixed(1)}" height="${to - from}" fill="#d6eaf8"/>`,
    );
  }
  return bands.join('');
}

function seconds(lastMs: number, x: (ms: number) => number, bottom: number): string {
  const marks: string[] = [];
  for (let second = 0; second * 1000 <= lastMs; second += 2)
    marks.push(
      `<text x="${x(second * 1000).toFixed(1)}" y="${bottom + 16}" text-anchor="middle" fill="#555">${second}</text>`,
    );
  return `${marks.join('')}<text x="${panel.left}" y="${bottom + 34}" fill="#333">seconds; shaded: the hog is frozen</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
