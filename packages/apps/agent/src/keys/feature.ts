import { NodeIdentity } from './node-identity.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { encryptionSalts } from './definitions.ts';
import { NodeKeys, rootsOf } from './node-keys.ts';
import { SaltKeeper } from './salt-keeper.ts';

export type KeysHandle = { readonly keys: NodeKeys; readonly identity: NodeIdentity };

/** Where the keys of volumes come from. */
export const keys: Feature<KeysHandle> = feature({
  name: 'keys',
  make: () => {
    const identity = new NodeIdentity();
    const nodeKeys = new NodeKeys(identity);
    return { handle: { keys: nodeKeys, identity }, dispose: () => nodeKeys[Symbol.asyncDispose]() };
  },
});

/** What keys come from beside the machine: the salt of STATE, and whom the node trusts. */
export const keySurroundings: Feature<undefined> = feature({
  name: 'encryption-salt',
  needs: { node, keys, persistence },
  writes: [encryptionSalts],
  make: ({ node: { store, log }, keys: { keys: nodeKeys }, persistence: state }) => {
    const keeper = new SaltKeeper({ store, log, use: (salt) => nodeKeys.useSalt(salt) });
    return {
      handle: undefined,
      prepare: async ({ configuration, previous }) => {
        await keeper.take(() => state.directory());
        nodeKeys.trust(rootsOf(configuration, ...previous));
      },
    };
  },
});
