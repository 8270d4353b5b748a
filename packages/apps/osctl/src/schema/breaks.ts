import type { Shape } from './shape.ts';

/**
 * What a reader of the published schema may rely on and the new one does not keep, a sentence each; none when it only promises
 * more: a new field, a new word, a field that is always there now.
 */
export function breaksOf(published: unknown, current: unknown, at = ''): readonly string[] {
  if (!isObject(published) || !isObject(current))
    return isSame(published, current) ? [] : [`${place(at)} is another`];
  return Object.keys({ ...published, ...current }).flatMap((keyword) =>
    breaksIn(keyword, published, current, at),
  );
}

function breaksIn(keyword: string, published: Shape, current: Shape, at: string): readonly string[] {
  const [before, now] = [published[keyword], current[keyword]];
  if (isObject(before) && (keyword === 'properties' || keyword === '$defs'))
    return propertyBreaks(before, isObject(now) ? now : {}, keyword === 'properties' ? at : '');
  switch (keyword) {
    case 'description':
    case 'title':
      return [];
    case 'required':
      return lost(before, now)
        .filter((name) => isObject(current['properties']) && name in current['properties']) // else it is gone
        .map((name) => `${place(`${at}.${name}`)} may be absent`);
    case 'enum':
      return lost(before, now).map((name) => `${place(at)} is never ${name} any more`);
    case 'anyOf':
      return alternativeBreaks(asList(before), asList(now), at);
    case 'items':
      return breaksOf(before, now, `${at}[]`);
    case 'additionalProperties':
      return breaksOf(before, now, `${at}.*`);
    default:
      return isSame(before, now) ? [] : [`${place(at)}: ${keyword} is another`];
  }
}

function propertyBreaks(before: Shape, now: Shape, at: string): readonly string[] {
  return Object.entries(before).flatMap(([name, shape]) =>
    name in now ? breaksOf(shape, now[name], `${at}.${name}`) : [`${place(`${at}.${name}`)} is gone`],
  );
}

function alternativeBreaks(
  before: readonly unknown[],
  now: readonly unknown[],
  at: string,
): readonly string[] {
  if (now.length < before.length) return [`${place(at)} has lost one of its forms`];
  return before.flatMap((shape, index) => breaksOf(shape, now[index], at));
}

/** Words of a list that are not in the new one; where there was none, nothing was promised. */
function lost(before: unknown, now: unknown): readonly string[] {
  const kept = new Set(asList(now));
  return asList(before).filter((each): each is string => typeof each === 'string' && !kept.has(each));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(before: unknown, now: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

function place(at: string): string {
  return at === '' ? 'it' : at.slice(1);
}
