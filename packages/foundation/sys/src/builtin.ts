/**
 * A module of Node.js, loaded when it is first asked for: `node:crypto` and `node:net` take longer than all of a package that needs them
 * now and then.
 *
 * @example
 * const crypto = builtin('node:crypto');
 * crypto().createPrivateKey(pem);
 */
export function builtin<Id extends keyof BuiltIns>(id: Id): () => BuiltIns[Id] {
  let loaded: BuiltIns[Id] | undefined;
  return () => (loaded ??= process.getBuiltinModule(id));
}

type BuiltIns = {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:net': typeof import('node:net');
  readonly 'node:util': typeof import('node:util');
};
