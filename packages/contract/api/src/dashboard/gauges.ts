import type { PressureLine, PressureReading } from '../../gen/nodecore-v1.js';
import { fit } from './cells.ts';
import { share } from './counted.ts';
import { bar, sparkline } from './graphs.ts';
import { absenceOf, type DeviceRate, type NodeModel, type Part, valueOf } from './model.ts';
import { percentText, rateText, sizeText } from './words.ts';

const labelWidth = 11;
const barWidth = 18;
const textWidth = 34;

/** A label with what belongs to it. */
export function field(label: string, text: string): string {
  return `${label.padEnd(labelWidth)}${text}`;
}

/** Processors and memory: a bar, numbers, and how it was. */
export function gauges(model: NodeModel, width: number): readonly string[] {
  const { histories, load } = model;
  return [
    gauge('Processor', model.processor, width, ({ percent, count }) => ({
      share: percent === undefined ? undefined : percent / 100,
      text: `${percentText(percent)} of ${count}${loadText(valueOf(load))}`,
      history: histories.processor,
      largest: 100,
    })),
    gauge('Memory', model.memory, width, ({ usedBytes, totalBytes }) => ({
      share: share(usedBytes, totalBytes),
      text: `${sizeText(usedBytes)} of ${sizeText(totalBytes)}`,
      history: histories.memory,
      largest: 1,
    })),
  ];
}

/** What goes over the network and the disks, both ways. */
export function transfers(
  { network, disks, histories }: NodeModel,
  width: number,
): readonly [network: string, disks: string] {
  const row = (label: string, part: NodeModel['network'], words: readonly [string, string], names: Names) => {
    const rates = valueOf(part);
    if (rates === undefined) return field(label, absenceOf(part));
    const half = Math.floor((width - labelWidth) / 2);
    const one = (word: string, value: number | undefined, name: Names[number]): string => {
      const text = `${word} ${rateText(value)}`.padEnd(19);
      return fit(`${text}${sparkline(histories[name], half - text.length - 2)}`, half);
    };
    const [total] = rates;
    return field(label, one(words[0], total.into, names[0]) + one(words[1], total.out, names[1]));
  };
  return [
    row('Network', network, ['in', 'out'], ['received', 'sent']),
    row('Disks', disks, ['read', 'write'], ['read', 'written']),
  ];
}

type Names = readonly [keyof NodeModel['histories'], keyof NodeModel['histories']];

/** How much of the last ten seconds some task waited, and all of them. */
export function pressureLine({ pressure }: NodeModel): string {
  const response = valueOf(pressure);
  if (response === undefined) return field('Pressure', absenceOf(pressure));
  return field('Pressure', pressureText(response.system) || 'the kernel does not account it');
}

/** `cpu 0.1/-`: percent of ten seconds, some and full. */
export function pressureText(reading: PressureReading | undefined): string {
  return (['cpu', 'memory', 'io'] as const)
    .flatMap((name) => {
      const resource = reading?.[name];
      return resource === undefined
        ? []
        : [`${name} ${tenSeconds(resource.some)}/${tenSeconds(resource.full)} %`];
    })
    .join('   ');
}

function tenSeconds(line: PressureLine | undefined): string {
  return line === undefined ? '-' : line.avg10.toFixed(1);
}

/** One device, both ways. */
export function deviceLine({ name, into, out }: DeviceRate): string {
  return `  ${fit(name, 16)} ${fit(rateText(into), 12, 'right')} ${fit(rateText(out), 12, 'right')}`;
}

type Gauge = {
  readonly share: number | undefined;
  readonly text: string;
  readonly history: readonly (number | undefined)[];
  readonly largest: number;
};

function gauge<Value>(
  label: string,
  part: Part<Value>,
  width: number,
  gaugeOf: (value: Value) => Gauge,
): string {
  const value = valueOf(part);
  if (value === undefined) return field(label, absenceOf(part));
  const shown = gaugeOf(value);
  const room = width - labelWidth - barWidth - textWidth - 2;
  const graph = sparkline(shown.history, room, shown.largest);
  return field(label, `${bar(shown.share, barWidth)} ${fit(shown.text, textWidth)} ${graph}`);
}

function loadText(
  load: { readonly load1: number; readonly load5: number; readonly load15: number } | undefined,
): string {
  if (load === undefined) return '';
  return `, load ${[load.load1, load.load5, load.load15].map((each) => each.toFixed(2)).join(' ')}`;
}
