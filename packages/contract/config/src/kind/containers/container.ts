import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { boolean, choice, integer } from '../../field/scalars.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { capability } from '../../type/capability.ts';
import { environmentEntry } from '../../type/environment-entry.ts';
import { imageReference, isPinned } from '../../type/image.ts';
import { byteSize, cpuQuantity } from '../../type/quantity.ts';
import { absolutePath, checkMounts, mounts } from './container-mounts.ts';

const containerName = text({
  longest: 63,
  pattern: {
    regex: /^[a-z0-9-]+$/u,
    code: 'name.characters',
    message: 'a name consists of small letters, digits and hyphens',
  },
});

const words = list(text({ empty: true }), { merge: 'replace' });
const id = integer(0, 0xffff_fffe);

/** `ContainerConfig`: a container that the node runs by itself. */
export const container = document('ContainerConfig', 'a container that the node runs by itself', () => ({
  takesEffect: 'live',
  awaits: 'containers',
  container: 'refused',
  fields: {
    name: required('its name', containerName),
    image: required('what it is made of', imageReference),
    entrypoint: optional('the program, in place of the one of the image', words),
    args: optional('its arguments, in place of those of the image', words),
    workingDir: optional('where it starts', absolutePath),
    runAs: optional('as whom it runs', object({ uid: optional('user', id), gid: optional('group', id) })),
    environment: optional('variables, as NAME=value', secretMaybe(list(environmentEntry))),
    mounts: optional('what it sees of the storage of the node', mounts),
    security: optional(
      'what it may do',
      object({
        profile: fallback(
          'how far it is kept from the node',
          choice('restricted', 'privileged'),
          'restricted',
        ),
        capabilities: optional(
          'capabilities beyond or below the profile',
          object({
            add: optional('given to it', list(capability, { merge: 'replace' })),
            drop: optional('taken from it', list(choice('ALL', ...capability.words), { merge: 'replace' })),
          }),
        ),
      }),
    ),
    network: optional(
      'its network',
      object({ mode: fallback('none, or the one of the node', choice('none', 'host'), 'none') }),
    ),
    resources: optional(
      'what it may use up',
      object({
        limits: optional(
          'at most',
          object({ cpu: optional('processors', cpuQuantity), memory: optional('bytes', byteSize) }),
        ),
      }),
    ),
    dependsOn: optional(
      'what has to be there before it starts',
      object({
        paths: optional('files', list(absolutePath)),
        networks: optional(
          'parts of the network',
          list(choice('addresses', 'connectivity', 'hostname', 'etcfiles')),
        ),
        time: optional('whether the clock is right', boolean),
        containers: optional('containers that run', list(containerName)),
      }),
    ),
  },
  check: (value, at) => {
    if (!isPinned(value.image))
      at.at('image').warning('container.unpinned', 'names no digest: tomorrow it may be another image');
    checkMounts(value.mounts ?? [], at.at('mounts'));
    const { add = [], drop = [] } = value.security?.capabilities ?? {};
    for (const [index, name] of drop.entries())
      if (name !== 'ALL' && add.includes(name))
        at.at('security', 'capabilities', 'drop', index).problem('container.capability', 'is in add, too');
    const own = (value.dependsOn?.containers ?? []).indexOf(value.name);
    if (own >= 0)
      at.at('dependsOn', 'containers', own).problem('container.itself', 'is the container itself');
  },
  example:
    'name: exporter\nimage: registry.example/exporter:1.0\nmounts:\n  - tmpfs: {destination: /tmp, size: 64MiB}\nresources:\n  limits: {cpu: 500m, memory: 128MiB}\n',
}));
