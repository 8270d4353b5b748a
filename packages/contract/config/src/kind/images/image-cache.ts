import { document } from '../../document.ts';
import { object } from '../../field/object.ts';
import { boolean } from '../../field/scalars.ts';
import { required } from '../../field/type.ts';

/** `ImageCacheConfig`: images that lie on the node already. */
export const imageCache = document('ImageCacheConfig', 'images that lie on the node already', () => ({
  takesEffect: 'reboot',
  awaits: 'containers',
  replaces: ['machine.features.imageCache'],
  fields: {
    local: required(
      'the cache on this node',
      object({ enabled: required('whether images are looked for in it first', boolean) }),
    ),
  },
  example: 'local: {enabled: true}\n',
}));
