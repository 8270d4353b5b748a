import { type Fields, type Json, type Type } from './type.ts';

/** A mapping that is described when somebody first meets it: a large one that most documents do not have. */
export function deferred(make: () => Type<unknown>): Type<unknown> {
  let made: Type<unknown> | undefined;
  const get = (): Type<unknown> => (made ??= make());
  return {
    says: 'mapping',
    read: (at) => get().read(at),
    get json(): Json {
      return get().json;
    },
    get fields(): Fields {
      return get().fields ?? {};
    },
  };
}
