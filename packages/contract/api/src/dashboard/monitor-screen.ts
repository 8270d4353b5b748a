import type { CgroupPressure } from '../../gen/nodecore-v1.js';
import { commandOf, sorted } from '../readings/process-order.ts';
import type { Sampled } from '../readings/process-samples.ts';
import type { Body, Room } from './body.ts';
import { fit } from './cells.ts';
import { deviceLine, gauges, pressureLine, pressureText, transfers } from './gauges.ts';
import { bar } from './graphs.ts';
import { header } from './header.ts';
import { absenceOf, type NodeModel, type Part, type Rates, valueOf } from './model.ts';
import { withinExtent } from './view.ts';
import { busiest, sizeText } from './words.ts';

/** What keeps the node busy: processors, devices, cgroups that wait, and processes. */
export function monitorScreen(model: NodeModel, room: Room): Body {
  const { width, height, scroll } = room;
  const few = Math.floor(height / 12);
  const [network, disks] = transfers(model, width);
  const above = [
    ...header(model, room),
    ...gauges(model, width),
    ...processorLines(model, width, few),
    network,
    ...deviceLines(model.network, few),
    disks,
    ...deviceLines(model.disks, few),
    pressureLine(model),
    ...cgroupLines(model, few),
    '',
    processHeader,
  ];
  const page = Math.max(0, height - above.length);
  const { activity } = model;
  const processes = sorted(valueOf(activity)?.processes ?? [], 'cpu');
  const first = withinExtent(scroll, { lines: processes.length, page });
  const rows =
    valueOf(activity) === undefined
      ? [absenceOf(activity)]
      : processes.slice(first, first + page).map(processLine);
  return { lines: [...above, ...rows], extent: { lines: processes.length, page } };
}

const processHeader = `${'PID'.padStart(8)} S ${'CPU%'.padStart(6)} ${'MEMORY'.padStart(9)} ${'THREADS'.padStart(7)}  COMMAND`;

function processLine(each: Sampled): string {
  const { pid, state, cpuPercent, residentMemory, threads } = each;
  const percent = cpuPercent === undefined ? '-' : cpuPercent.toFixed(1);
  return `${String(pid).padStart(8)} ${fit(state, 1)} ${percent.padStart(6)} ${sizeText(residentMemory).padStart(9)} ${String(threads).padStart(7)}  ${commandOf(each)}`;
}

/** Each processor, as many in a line as fit. */
function processorLines({ processor }: NodeModel, width: number, room: number): readonly string[] {
  const each = valueOf(processor)?.each ?? [];
  const cell = 24;
  const columns = Math.max(1, Math.floor((width - 2) / cell));
  const shown = each.slice(0, columns * room).map(({ name, percent }) => {
    const text = percent === undefined ? '-' : percent.toFixed(0);
    return `${fit(name, 6)} ${bar((percent ?? 0) / 100, 10)} ${text.padStart(3)}  `;
  });
  const lines: string[] = [];
  for (let at = 0; at < shown.length; at += columns)
    lines.push(`  ${shown.slice(at, at + columns).join('')}`);
  return lines;
}

function deviceLines(part: Part<Rates>, room: number): readonly string[] {
  const [, ...devices] = valueOf(part) ?? [];
  // One device is the total.
  return devices.length < 2 ? [] : busiest(devices, room).map(deviceLine);
}

/** The cgroups that wait most. */
function cgroupLines({ pressure }: NodeModel, room: number): readonly string[] {
  return (valueOf(pressure)?.cgroups ?? []).slice(0, room).map(cgroupLine);
}

function cgroupLine({ path, name, pressure }: CgroupPressure): string {
  const isNamed = name?.kind === 'pod' || name?.kind === 'container';
  return `  ${fit(isNamed ? name.name : path, 28)} ${pressureText(pressure)}`;
}
