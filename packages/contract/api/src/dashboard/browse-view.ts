import type { Key } from './keys.ts';

/** A row of a list: its name, and where it was when it was chosen, for when it is gone. */
export type Chosen = { readonly name: string; readonly at: number };

/** A list of which only some rows are shown. */
export type List = { readonly filter: string; readonly chosen: Chosen };

/** Where somebody is among the resources: all kinds, the resources of a kind, one resource. */
export type BrowseView = {
  readonly kinds: List;
  /** Its type; undefined: the kinds are shown. */
  readonly kind: string | undefined;
  readonly resources: List;
  /** Undefined: the resources of the kind are shown. */
  readonly id: string | undefined;
  /** Lines from the top of the resource. */
  readonly scroll: number;
  /** What is typed goes into the filter. */
  readonly isTyping: boolean;
};

const freshList: List = { filter: '', chosen: { name: '', at: 0 } };

export const firstBrowse: BrowseView = {
  kinds: freshList,
  kind: undefined,
  resources: freshList,
  id: undefined,
  scroll: 0,
  isTyping: false,
};

/** What is drawn of it: the names of the rows that the filter leaves, or the lines of the resource. */
export type BrowseExtent = {
  readonly names: readonly string[];
  readonly lines: number;
  readonly page: number;
};

/** Far above any name. */
const longestFilter = 200;

/** Where the chosen row is now; one that is gone has given its place to the next. -1: there is none. */
export function placeOf({ chosen }: List, names: readonly string[]): number {
  const index = names.indexOf(chosen.name);
  return index === -1 ? Math.min(chosen.at, names.length - 1) : index;
}

/** The row that is marked stays chosen, whatever comes before it: what was seen is what is opened. */
export function anchored(view: BrowseView, names: readonly string[]): BrowseView {
  const list = listOf(view);
  const at = placeOf(list, names);
  const name = names[at];
  const isSo = name === undefined || (name === list.chosen.name && at === list.chosen.at);
  return isSo ? view : withList(view, { ...list, chosen: { name, at } });
}

/** What a key makes of it. A key that means nothing here changes nothing. */
export function browsed(view: BrowseView, key: Key, extent: BrowseExtent): BrowseView {
  if (typeof key === 'object') return view.isTyping ? filtered(view, listOf(view).filter + key.text) : view;
  if (key === 'open') return view.isTyping ? { ...view, isTyping: false } : opened(view, extent);
  if (key === 'filter') return view.id === undefined ? { ...view, isTyping: true } : view;
  if (key === 'erase' && view.isTyping)
    return filtered(view, Array.from(listOf(view).filter).slice(0, -1).join(''));
  if (key === 'back' || key === 'erase') return left(view);
  return moved(view, stepsOf(key, extent.page), extent);
}

function listOf(view: BrowseView): List {
  return view.kind === undefined ? view.kinds : view.resources;
}

function withList(view: BrowseView, list: List): BrowseView {
  return view.kind === undefined ? { ...view, kinds: list } : { ...view, resources: list };
}

function filtered(view: BrowseView, filter: string): BrowseView {
  return withList(view, { ...listOf(view), filter: filter.slice(0, longestFilter) });
}

function opened(view: BrowseView, { names }: BrowseExtent): BrowseView {
  const name = names[placeOf(listOf(view), names)];
  if (name === undefined || view.id !== undefined) return view;
  const at = { ...view, ...chosenOf(view, name, names) };
  return view.kind === undefined
    ? { ...at, kind: name, resources: freshList }
    : { ...at, id: name, scroll: 0 };
}

/** From what is typed to the whole list, and from there up. */
function left(view: BrowseView): BrowseView {
  if (view.isTyping || (view.id === undefined && listOf(view).filter !== ''))
    return { ...filtered(view, ''), isTyping: false };
  if (view.id !== undefined) return { ...view, id: undefined, scroll: 0 };
  return { ...view, kind: undefined };
}

function chosenOf(view: BrowseView, name: string, names: readonly string[]): BrowseView {
  return withList(view, { ...listOf(view), chosen: { name, at: names.indexOf(name) } });
}

function moved(view: BrowseView, steps: number, { names, lines, page }: BrowseExtent): BrowseView {
  if (steps === 0) return view;
  if (view.id !== undefined)
    return { ...view, scroll: Math.max(0, Math.min(view.scroll + steps, lines - page)) };
  const at = Math.max(0, Math.min(placeOf(listOf(view), names) + steps, names.length - 1));
  const name = names[at];
  return name === undefined ? view : chosenOf(view, name, names);
}

function stepsOf(key: Key, page: number): number {
  if (key === 'down') return 1;
  if (key === 'up') return -1;
  const whole = Math.max(1, page);
  const half = Math.max(1, Math.floor(page / 2));
  if (key === 'page-down') return whole;
  if (key === 'page-up') return -whole;
  return key === 'half-down' ? half : key === 'half-up' ? -half : 0;
}
