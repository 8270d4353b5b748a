import type { Decoded } from './decoder.ts';

let lastSecond = Number.NaN;
let lastText = '';

/** The time of day where this runs. Packets come many to a second: the last one is kept. */
function timeOfDay(seconds: number): string {
  if (seconds === lastSecond) return lastText;
  const date = new Date(seconds * 1000);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  lastSecond = seconds;
  lastText = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return lastText;
}

function microseconds(nanoseconds: number): string {
  return String(Math.floor(nanoseconds / 1000)).padStart(6, '0');
}

/** The time of a packet as lines begin with it; empty for `none`. `absolute` is the local time of day. */
export function timeText(decoded: Decoded, format: 'absolute' | 'delta' | 'epoch' | 'none'): string {
  switch (format) {
    case 'absolute':
      return `${timeOfDay(decoded.seconds)}.${microseconds(decoded.nanoseconds)}`;
    case 'epoch':
      return `${decoded.seconds}.${microseconds(decoded.nanoseconds)}`;
    case 'delta': {
      const { sincePrevious } = decoded;
      const size = Math.abs(sincePrevious);
      const seconds = Math.floor(size / 1e9);
      return `${sincePrevious < 0 ? '-' : '+'}${seconds}.${microseconds(size - seconds * 1e9)}`;
    }
    case 'none':
      break;
  }
  return '';
}
