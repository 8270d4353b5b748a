import { UsageError } from '@nodecore/cli';
import { JsonPath } from '@nodecore/cli/json-path';
import type { ShownResource } from '@nodecore/api/readings';

/** What is waited for: of all resources that are meant. */
export type Condition = {
  readonly text: string;
  /** Nothing that is meant is there; otherwise all of it, and something, has to be as wanted. */
  readonly isAbsence: boolean;
  readonly holds: (resource: ShownResource) => boolean;
};

/**
 * `create`, `delete`, or `jsonpath=PATH=VALUE` of the resource as -o json shows it; without a value the path has to find something.
 *
 * @throws {UsageError} for anything else.
 */
export function readCondition(text: string): Condition {
  if (text === 'create') return { text, isAbsence: false, holds: () => true };
  if (text === 'delete') return { text, isAbsence: true, holds: () => false };
  const [, expression] = /^jsonpath=(.+)$/su.exec(text) ?? [];
  if (expression === undefined)
    throw new UsageError(`"${text}" is nothing to wait for: say create, delete or jsonpath=<path>=<value>`);
  // A comparison in a filter has two signs or is inside of brackets; the value is behind the last single one outside.
  const [, path = '', value] = /^('[^']*'|\{.*\}|(?:\[[^\]]*\]|[^=[])+)(?:=(.*))?$/su.exec(expression) ?? [];
  if (path === '') throw new UsageError(`jsonpath ${expression} is no path with a value: .spec.phase=ready`);
  const json = new JsonPath(path.replace(/^'(.*)'$/su, '$1'));
  return {
    text,
    isAbsence: false,
    holds: (resource) => {
      const found = json.find(resource);
      return value === undefined ? found.length > 0 : found.some((each) => each === value);
    },
  };
}
