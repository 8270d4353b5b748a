import type { Body, ColumnOf, Room } from './body.ts';
import type { BrowseView } from './browse-view.ts';
import { cellsOf, fit } from './cells.ts';
import { nodeTabs } from './header.ts';
import type { NodeModel } from './model.ts';
import { monitorScreen } from './monitor-screen.ts';
import { resourceScreen } from './resource-screen.ts';
import { summaryScreen } from './summary-screen.ts';
import type { Extent, ScreenName, View } from './view.ts';
import { durationText } from './words.ts';

export type Size = { readonly width: number; readonly height: number };

/** Everything that a frame shows. */
export type FrameModel = {
  readonly nodes: readonly NodeModel[];
  readonly view: View;
  readonly nowMs: number;
  readonly intervalMs: number;
  readonly columnOf: ColumnOf;
  /** Nobody can end what is shown, and there is one node. */
  readonly isEndless?: boolean;
};

export type Frame = {
  /** Exactly as many as the window is high, each exactly as wide; nothing in them is a command to the terminal. */
  readonly lines: readonly string[];
  /** How far the list of the screen goes. */
  readonly extent: Extent;
};

const screens: Readonly<Record<ScreenName, (model: NodeModel, room: Room) => Body>> = {
  summary: summaryScreen,
  monitor: monitorScreen,
  resources: resourceScreen,
};

const titles: readonly (readonly [ScreenName, string])[] = [
  ['summary', 'F1 summary'],
  ['monitor', 'F2 monitor'],
  ['resources', 'F3 resources'],
];

/** Draws the window. */
export function frame(model: FrameModel, { width, height }: Size): Frame {
  const { nodes, view, nowMs, intervalMs, columnOf } = model;
  const node = nodes[view.index]!;
  const room = {
    width,
    height: Math.max(0, height - 2),
    scroll: view.scroll,
    browse: view.browse,
    columnOf,
    nowMs,
    intervalMs,
  };
  const body = screens[view.screen](node, room);
  const middle = [...body.lines, ...Array.from({ length: room.height }, () => '')].slice(0, room.height);
  const lines = [nodeTabs(nodes, view.index, width), ...middle, footer(model, width)];
  return {
    lines: lines.slice(0, height).map((line) => fit(line, width)),
    extent: { nodes: nodes.length, ...body.extent },
  };
}

function footer({ view, intervalMs, isEndless = false }: FrameModel, width: number): string {
  const { screen, paused, browse } = view;
  const names = titles.map(([name, title]) => (name === screen ? `[${title}]` : ` ${title} `)).join('');
  const state = paused ? 'PAUSED, C-z goes on ' : `every ${intervalText(intervalMs)} `;
  const words = wordsOf(screen, browse);
  const keys = `${names}  ${isEndless ? words.replace('h/l node  ', '').replace('q end', 'q start') : words}`;
  const room = Math.max(0, width - cellsOf(state) - 1);
  return fit(`${fit(keys, room)} ${state}`, width);
}

/** In a window of 80 columns there is room for the most important ones. */
function wordsOf(screen: ScreenName, { isTyping, kind, id }: BrowseView): string {
  if (screen !== 'resources') return 'h/l node  C-z pause  q end';
  if (isTyping) return 'Enter keep  Esc show all';
  if (id !== undefined) return 'Esc back  j/k scroll  q end';
  return kind === undefined ? 'Enter open  / filter  q end' : 'Enter  Esc  / filter  q end';
}

function intervalText(ms: number): string {
  return ms % 1000 === 0 ? durationText(ms) : `${ms} ms`;
}
