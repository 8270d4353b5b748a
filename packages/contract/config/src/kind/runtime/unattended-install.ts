import { document } from '../../document.ts';
import { object } from '../../field/object.ts';
import { boolean } from '../../field/scalars.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { imageReference } from '../../type/image.ts';
import { diskSelector } from '../../type/selector.ts';

/** `UnattendedInstallConfig`: onto which disk the node installs itself. */
export const unattendedInstall = document(
  'UnattendedInstallConfig',
  'onto which disk a node that is not installed installs itself',
  () => ({
    takesEffect: 'once',
    awaits: 'installation',
    container: 'ignored',
    replaces: ['machine.install'],
    fields: {
      installer: optional(
        'what is installed',
        object({ image: optional('its image; without it what has booted', imageReference) }),
      ),
      provisioning: required(
        'the disk',
        object({
          diskSelector: required(
            'which one it is; more than one is refused',
            object({ match: required('an expression over disk that is true for it', diskSelector) }),
          ),
          wipe: fallback('whether a disk with content is wiped; otherwise it must be empty', boolean, false),
        }),
      ),
      reboot: optional('whether it reboots then; it does where installer has an image', boolean),
    },
    check: ({ installer, provisioning }, at) => {
      if (installer?.image === undefined)
        at.warning('install.image', 'has no installer.image: what has booted must say its schematic');
      if (provisioning.wipe)
        at.at('provisioning', 'wipe').warning(
          'install.wipe',
          'all content of the disk is lost, whatever it is',
        );
    },
    example:
      'installer: {image: "factory.example/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.14.0"}\nprovisioning:\n  diskSelector: {match: disk.transport == "nvme"}\n',
  }),
);
