import { shortSize } from '@nodecore/sys/pure';

import type { DeviceRate } from './model.ts';

/** `42.1 %`; a dash where it is not known. */
export function percentText(percent: number | undefined): string {
  return percent === undefined ? '-' : `${percent.toFixed(1)} %`;
}

/** `1.29 MB/s` */
export function rateText(bytesPerSecond: number | undefined): string {
  return bytesPerSecond === undefined ? '-' : `${shortSize(BigInt(Math.round(bytesPerSecond)))}/s`;
}

export function sizeText(bytes: bigint | undefined): string {
  return bytes === undefined ? '-' : shortSize(bytes);
}

/** `2d 3h`, `5m 12s`: the two largest units. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first === -1 ? 3 : first, first === -1 ? 4 : first + 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

/** The devices that transfer most, most first. */
export function busiest(devices: readonly DeviceRate[], count: number): readonly DeviceRate[] {
  return devices.toSorted((a, b) => weight(b) - weight(a)).slice(0, count);
}

function weight({ into, out }: DeviceRate): number {
  return (into ?? 0) + (out ?? 0);
}
