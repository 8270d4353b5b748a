import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** What a device must be for a rule: `KERNEL=="sd*"`, `ATTRS{idVendor}!="1d6b"`. */
export type UdevMatch = {
  readonly key: string;
  /** In the braces. */
  readonly attribute?: string;
  readonly equal: boolean;
  /** A glob, or several with | between them. */
  readonly pattern: string;
};

/** What is done to a device that matches; a link is added to those there are. */
export type UdevAction = {
  readonly key: 'OWNER' | 'GROUP' | 'MODE' | 'SYMLINK' | 'NAME';
  readonly value: string;
};

export type UdevRule = {
  readonly text: string;
  readonly matches: readonly UdevMatch[];
  readonly actions: readonly UdevAction[];
};

const plainMatches = 'ACTION DEVPATH KERNEL KERNELS SUBSYSTEM SUBSYSTEMS DRIVER DRIVERS'.split(' ');
const braceMatches = 'ATTR ATTRS ENV'.split(' ');
const actions = ['OWNER', 'GROUP', 'MODE', 'SYMLINK', 'NAME'] as const;
const operations: Readonly<Record<UdevAction['key'], readonly string[]>> = {
  OWNER: ['=', ':='],
  GROUP: ['=', ':='],
  MODE: ['=', ':='],
  SYMLINK: ['+='],
  NAME: ['=', ':='],
};
const values: Readonly<Record<UdevAction['key'], RegExp>> = {
  OWNER: /^(?:\d{1,10}|[a-z_][a-z0-9_-]{0,31})$/u,
  GROUP: /^(?:\d{1,10}|[a-z_][a-z0-9_-]{0,31})$/u,
  MODE: /^0?[0-7]{3}$/u,
  SYMLINK:
    /^(?:[\w%$@:+-][\w.%${}@:+-]*\/)*[\w%$@:+-][\w.%${}@:+-]*(?: (?:[\w%$@:+-][\w.%${}@:+-]*\/)*[\w%$@:+-][\w.%${}@:+-]*)*$/u,
  NAME: /^[\w%$-][\w.%${}-]{0,63}$/u,
};
const item =
  /\s*(?<key>[A-Z_]+)(?:\{(?<attribute>[^{}"]{1,128})\})?\s*(?<operation>==|!=|\+=|:=|=)\s*"(?<value>[^"\\]*)"\s*(?:,|$)/uy;

function parseRule(text: string): UdevRule | Mistake {
  if (text.length > 1024 || /\p{Cc}/u.test(text.replaceAll('\t', ' ')))
    return new Mistake('udev.rule', 'must be one line of at most 1024 characters');
  const matches: UdevMatch[] = [];
  const done: UdevAction[] = [];
  item.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = item.lastIndex) {
    item.lastIndex = at;
    const { key = '', attribute, operation = '', value = '' } = item.exec(text)?.groups ?? {};
    const start = at + (text.slice(at).length - text.slice(at).trimStart().length);
    if (key === '')
      return new Mistake('udev.rule', 'must be KEY=="value" parts with commas between them', start);
    const isMatch = plainMatches.includes(key)
      ? attribute === undefined
      : braceMatches.includes(key) && attribute !== undefined;
    const isComparison = operation === '==' || operation === '!=';
    const action = actions.find((one) => one === key);
    if (isMatch && isComparison)
      matches.push({
        key,
        ...(attribute === undefined ? {} : { attribute }),
        equal: operation === '==',
        pattern: value,
      });
    else if (action !== undefined && attribute === undefined) {
      if (!operations[action].includes(operation))
        return new Mistake('udev.operation', `${action} takes ${operations[action].join(' or ')}`, start);
      if (!values[action].test(value) || value.split('/').includes('..'))
        return new Mistake('udev.value', `is no value of ${action}`, start);
      done.push({ key: action, value });
    } else return new Mistake('udev.not_offered', notOffered, start);
  }
  if (matches.length === 0)
    return new Mistake('udev.match', 'must say of which devices: KERNEL=="…", SUBSYSTEM=="…"');
  return done.length === 0
    ? new Mistake('udev.action', `does nothing: ${actions.join(', ')}`)
    : { text, matches, actions: done };
}

const notOffered =
  'the node has no udevd: a rule compares ACTION, DEVPATH, KERNEL(S), SUBSYSTEM(S), DRIVER(S), ATTR(S){}, ENV{}, and sets OWNER, GROUP, MODE, SYMLINK, NAME';

/** A rule in udev's words, of which the node itself does what it can: permissions, links and names. */
export const udevRule: Type<UdevRule> = parsed('a rule', {
  json: { minLength: 1, maxLength: 1024 },
  parse: parseRule,
});
