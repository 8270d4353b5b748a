import type { KernelLogRecord, ServiceInfo } from '../../gen/nodecore-v1.js';
import type { Body, Room } from './body.ts';
import { fit } from './cells.ts';
import { share } from './counted.ts';
import { field, gauges, pressureLine, transfers } from './gauges.ts';
import { bar } from './graphs.ts';
import { header, stageLines } from './header.ts';
import { absenceOf, type NodeModel, valueOf } from './model.ts';
import { sizeText } from './words.ts';

/** The node at a glance, and the newest lines of its kernel's log. */
export function summaryScreen(model: NodeModel, room: Room): Body {
  const { width, height, scroll } = room;
  const above = [
    ...header(model, room),
    ...stageLines(model, Math.max(1, Math.floor(height / 8))),
    ...(model.notes ?? []).map(([label, text]) => field(label, text)),
    ...gauges(model, width),
    ...transfers(model, width),
    pressureLine(model),
    servicesLine(model),
    ...volumeLines(model, Math.max(1, Math.floor(height / 8))),
    '',
  ];
  const page = Math.max(0, height - above.length - 1);
  const records = valueOf(model.log) ?? [];
  const end = records.length - Math.max(0, Math.min(scroll, records.length - page));
  const title = valueOf(model.log) === undefined ? absenceOf(model.log) : scrolledText(records.length - end);
  const log = records.slice(Math.max(0, end - page), end).map(logLine);
  return { lines: [...above, field('Kernel log', title), ...log], extent: { lines: records.length, page } };
}

function scrolledText(newer: number): string {
  return newer === 0 ? '' : `${newer} newer ${newer === 1 ? 'line' : 'lines'} below`;
}

function logLine({ clockMicros, priority, message }: KernelLogRecord): string {
  const seconds = (Number(clockMicros) / 1e6).toFixed(3);
  return `${seconds.padStart(10)} ${priority.padEnd(7)} ${message}`;
}

/** Those that are not well by name. */
function servicesLine({ services }: NodeModel): string {
  const all = valueOf(services);
  if (all === undefined) return field('Services', absenceOf(services));
  const running = all.filter(({ state }) => state === 'Running').length;
  const bad = all
    .filter(isBad)
    .map(({ id, state, health }) =>
      state === 'Failed' ? `${id} failed` : `${id} is not healthy: ${health?.lastMessage ?? ''}`,
    );
  return field('Services', [`${running} of ${all.length} run`, ...bad].join('; '));
}

function isBad({ state, health }: ServiceInfo): boolean {
  return state === 'Failed' || (health !== undefined && !health.unknown && !health.healthy);
}

/** The fullest first: those are looked for. */
function volumeLines({ volumes }: NodeModel, room: number): readonly string[] {
  const all = valueOf(volumes);
  if (all === undefined) return [field('Volumes', absenceOf(volumes))];
  if (all.length === 0) return [field('Volumes', 'none is mounted')];
  const used = (each: (typeof all)[number]): number => share(each.usedBytes, each.sizeBytes) ?? -1;
  const sorted = all.toSorted((a, b) => used(b) - used(a));
  const shown = sorted.length <= room ? sorted : sorted.slice(0, Math.max(1, room - 1));
  const lines = shown.map((each, index) => {
    const { volume, target, usedBytes, sizeBytes, error } = each;
    const sizes = error === '' ? `${sizeText(usedBytes)} of ${sizeText(sizeBytes)}` : error;
    const text = `${bar(share(usedBytes, sizeBytes), 18)} ${fit(volume, 12)} ${fit(sizes, 21)} ${target}`;
    return field(index === 0 ? 'Volumes' : '', text);
  });
  return shown.length === sorted.length
    ? lines
    : [...lines, field('', `… and ${sorted.length - shown.length} that are less full`)];
}
