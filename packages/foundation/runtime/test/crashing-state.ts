import type { State } from '@nodecore/state';

const writes = new Set<PropertyKey>([
  'create',
  'update',
  'teardown',
  'destroy',
  'addFinalizers',
  'removeFinalizers',
  'transaction',
]);

/** Where a crash comes: before or after the write of this number, from 1 on. */
export type CrashPoint = { readonly write: number; readonly moment: 'before' | 'after' };

/**
 * The state as a process sees it that is killed at one of its writes: the write happens or not, nothing after it does,
 * and the process hears of neither. `crashed` is called then.
 */
export function crashingState(state: State, { write, moment }: CrashPoint, crashed: () => void): State {
  let count = 0;
  const gone = new Promise<never>(() => {});
  return new Proxy(state, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (!writes.has(name)) return method.bind(target);
      return async (...words: readonly unknown[]) => {
        count += 1;
        if (count > write || (count === write && moment === 'before')) {
          crashed();
          return await gone;
        }
        const result: unknown = await Reflect.apply(method, target, words);
        if (count !== write) return result;
        crashed();
        return await gone;
      };
    },
  });
}
