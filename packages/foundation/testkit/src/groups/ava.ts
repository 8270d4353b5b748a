/**
 * What test files import in place of ava while they share a process: ava wants all tests declared at once, and the files are
 * imported one after the other.
 */
import ava, { type TestFn } from 'ava';

import { declaration, declared } from './declarations.ts';

const test: TestFn = chain([]);
export default test;

function chain(modifiers: readonly string[]): TestFn {
  const declare = (...args: unknown[]): void => void declared.push(declaration(modifiers, args));
  const get = (_: unknown, name: string): unknown =>
    name === 'macro' ? ava.macro : chain([...modifiers, name]);
  return new Proxy(declare, { get }) as unknown as TestFn;
}
