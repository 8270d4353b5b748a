import { browsed, type BrowseView, firstBrowse } from './browse-view.ts';
import type { Key } from './keys.ts';

export type ScreenName = 'summary' | 'monitor' | 'resources';

/** What the user looks at. */
export type View = {
  readonly screen: ScreenName;
  /** Which node. */
  readonly index: number;
  /** Lines from the top of the process table, or from the newest line of the log. */
  readonly scroll: number;
  readonly paused: boolean;
  readonly browse: BrowseView;
};

export const firstView: View = {
  screen: 'summary',
  index: 0,
  scroll: 0,
  paused: false,
  browse: firstBrowse,
};

export type Extent = {
  readonly nodes: number;
  /** Rows that scroll, of which `page` are shown. */
  readonly lines: number;
  readonly page: number;
  /** Of the rows that can be opened, where there are some. */
  readonly names?: readonly string[];
};

/** What a key makes of a view; `end` of the dashboard itself. A key that means nothing changes nothing. */
export function pressed(view: View, key: Key, extent: Extent): View | 'end' {
  const { index, screen } = view;
  if (key === 'quit') return 'end';
  if (key === 'pause') return { ...view, paused: !view.paused };
  if (key === 'summary' || key === 'monitor' || key === 'resources') return atScreen(view, key);
  if (key === 'previous') return atNode(view, index - 1, extent);
  if (key === 'next') return atNode(view, index + 1, extent);
  if (screen === 'resources') {
    const { names = [], lines, page } = extent;
    return { ...view, browse: browsed(view.browse, key, { names, lines, page }) };
  }
  return isScroll(key) ? scrolled(view, key, extent) : view;
}

/** What is typed into a filter is left to it. */
function atScreen(view: View, screen: ScreenName): View {
  if (view.screen === screen) return view;
  return { ...view, screen, scroll: 0, browse: { ...view.browse, isTyping: false } };
}

/** Behind the last comes the first. */
function atNode(view: View, index: number, { nodes }: Extent): View {
  return nodes < 2 ? view : { ...view, index: (index + nodes) % nodes, scroll: 0 };
}

const pages = { 'half-down': 0.5, 'half-up': -0.5, 'page-down': 1, 'page-up': -1 } as const;

type Scroll = 'down' | 'up' | keyof typeof pages;

function isScroll(key: Key): key is Scroll {
  return key === 'down' || key === 'up' || (typeof key === 'string' && Object.hasOwn(pages, key));
}

function scrolled(view: View, key: Scroll, extent: Extent): View {
  const steps = key === 'down' ? 1 : key === 'up' ? -1 : stepsOf(pages[key], extent.page);
  // The log has its newest line below: further up is further away from it.
  const towards = view.screen === 'summary' ? -steps : steps;
  return { ...view, scroll: withinExtent(view.scroll + towards, extent) };
}

function stepsOf(pageShare: number, page: number): number {
  return Math.sign(pageShare) * Math.max(1, Math.floor(Math.abs(pageShare) * page));
}

/** A place that is still there when rows are gone, or the window is larger. */
export function withinExtent(scroll: number, { lines, page }: Pick<Extent, 'lines' | 'page'>): number {
  return Math.max(0, Math.min(scroll, lines - page));
}
