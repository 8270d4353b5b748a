type Callable = (...args: unknown[]) => unknown;

/** The module that `process.dlopen` fills. */
export type Loadable = { exports: object & { readonly load?: Callable; readonly struct?: Callable } };

/**
 * Has `used` called at each use of an addon that was just loaded. koffi only brings libraries: many modules load it, and what
 * counts is a call of a function that it was given.
 */
export function watchUses(loaded: Loadable, used: () => void): void {
  const { load, struct } = loaded.exports;
  if (load === undefined || struct === undefined) {
    loaded.exports = watched(loaded.exports, used);
    return;
  }
  Object.assign(loaded.exports, {
    load: (...args: unknown[]) => watchedLibrary(load(...args) as Library, used),
  });
}

type Library = { readonly func: Callable };

function watchedLibrary(library: Library, used: () => void): unknown {
  return new Proxy(library, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const call = (value as Callable).bind(target);
      return name === 'func' ? (...args: unknown[]) => watched(call(...args) as Callable, used) : call;
    },
  });
}

/** Calls, and the properties that are looked up for a call, are uses. */
function watched<T extends object>(target: T, used: () => void): T {
  return new Proxy(target, {
    apply(callable, self, args) {
      used();
      return Reflect.apply(callable as unknown as Callable, self, args);
    },
    get(object, name) {
      used();
      return Reflect.get(object, name) as unknown;
    },
  });
}
