import type { Room } from './body.ts';
import { fit } from './cells.ts';
import { absenceOf, type NodeModel, valueOf } from './model.ts';
import { durationText } from './words.ts';

/** Answers take longer only where something is wrong. */
const slowMs = 3000;

/** Who the node is, and whether it answers. */
export function header(
  model: NodeModel,
  { nowMs, intervalMs }: Pick<Room, 'nowMs' | 'intervalMs'>,
): readonly string[] {
  const { version, activity, failure, answeredMs, retryMs } = model;
  const uptimeMs = valueOf(activity)?.uptimeMs;
  const facts =
    version === undefined
      ? [model.name]
      : [
          version.hostname === '' ? 'no name yet' : version.hostname,
          version.version,
          ...(uptimeMs === undefined ? [] : [`up ${durationText(uptimeMs)}`]),
          `${version.os} ${version.arch} ${version.kernel}`.trimEnd(),
          ...(version.maintenance ? ['in maintenance'] : []),
        ];
  const lines = [facts.join('   ')];
  if (failure !== undefined) {
    const age =
      answeredMs === undefined ? 'it never answered' : `it answered ${durationText(nowMs - answeredMs)} ago`;
    const again = retryMs === undefined ? '' : `; it is asked again in ${durationText(retryMs - nowMs)}`;
    lines.push(`! ${failure}`, `  ${age}${again}`);
  } else if (answeredMs === undefined) lines.push('waiting for the node');
  else if (nowMs - answeredMs > slowMs + intervalMs)
    lines.push(`! no answer for ${durationText(nowMs - answeredMs)}`);
  return lines;
}

/** What the machine is doing, and what it lacks; no more lines than there is room for. */
export function stageLines({ machine }: NodeModel, room: number): readonly string[] {
  const value = valueOf(machine);
  if (value === undefined) return [`Stage      ${absenceOf(machine)}`];
  const { stage, ready, unmet } = value;
  const lacks = unmet.map(({ name, reason }) => `  ${name}: ${reason}`);
  const shown =
    lacks.length <= room ? lacks : [...lacks.slice(0, room - 1), `  … and ${lacks.length - room + 1} more`];
  const words = ready ? 'ready' : lacks.length === 0 ? 'not ready' : 'not ready; it waits for';
  return [`Stage      ${stage}, ${words}`, ...shown];
}

/** The nodes, with the shown one in brackets and an exclamation mark at those that do not answer. */
export function nodeTabs(models: readonly NodeModel[], index: number, width: number): string {
  const tabs = models.map(({ name, failure }, at) => {
    const text = `${failure === undefined ? '' : '!'}${name}`;
    return at === index ? `[${text}]` : ` ${text} `;
  });
  // The shown one stays in the window.
  let first = 0;
  const endsAt = (from: number): number => tabs.slice(from, index + 1).join(' ').length + (from > 0 ? 2 : 0);
  while (first < index && endsAt(first) > width) first += 1;
  return fit(`${first > 0 ? '‹ ' : ''}${tabs.slice(first).join(' ')}`, width);
}
