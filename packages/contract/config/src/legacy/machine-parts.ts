import { anything } from '../field/anything.ts';
import { list, map } from '../field/list.ts';
import { object } from '../field/object.ts';
import { boolean, choice, integer } from '../field/scalars.ts';
import { secretMaybe } from '../field/secret.ts';
import { anyText, hiddenText, items } from '../field/shape.ts';
import { text } from '../field/text.ts';
import { optional, required, type Fields, type Type } from '../field/type.ts';
import { registryAuth, registryMirror } from '../kind/images/registry.ts';
import { orchKubelet, orchNode } from '../kind/orchestrator/node.ts';
import { orchNodeApiAccess } from '../kind/orchestrator/trust.ts';
import { environment } from '../kind/runtime/environment.ts';
import { kernelModule } from '../kind/runtime/kernel-module.ts';
import { resolver } from '../kind/runtime/resolver.ts';
import { sysctl } from '../kind/runtime/sysctl.ts';
import { sysfs } from '../kind/runtime/sysfs.ts';
import { timeSync } from '../kind/runtime/time-sync.ts';
import { udevRules } from '../kind/runtime/udev-rules.ts';
import { systemVolume } from '../kind/storage/volumes.ts';
import { programArguments } from '../type/argument.ts';
import { fileMode } from '../type/file-mode.ts';
import { host } from '../type/endpoint.ts';
import { imageReference } from '../type/image.ts';
import { u32 } from '../type/number.ts';
import { url } from '../type/url.ts';
import { size } from '../type/size.ts';
import { fieldOf, fieldsOf } from './field-of.ts';

/** Parts of `machine`. */
export type MachineParts = {
  readonly kubeletFields: Fields;
  readonly smallMachineFields: Fields;
} & Readonly<
  Record<'disks' | 'install' | 'files' | 'registries' | 'features' | 'systemDiskEncryption', Type<unknown>>
>;

/** Parts of `machine`, described when they are met. */
export function machineParts(): MachineParts {
  const idMapping = object({
    containerID: optional('in the container', u32),
    hostID: optional('on the node', u32),
    size: optional('so many', u32),
  });

  const extraMount = object({
    destination: required('where it is seen', text()),
    type: optional('kind of mount', text()),
    source: optional('what is mounted', text()),
    options: optional('how', list(text())),
    uidMappings: optional('users', items(idMapping)),
    gidMappings: optional('groups', items(idMapping)),
  });

  const kubeletFields = {
    image: optional('its image', imageReference),
    clusterDNS: fieldOf(orchKubelet, 'clusterDNS'),
    extraArgs: optional('flags', programArguments),
    extraMounts: optional(
      'directories of the node that it sees',
      list(extraMount, { merge: { by: 'destination' } }),
    ),
    extraConfig: fieldOf(orchKubelet, 'config'),
    credentialProviderConfig: optional('programs that hand out credentials for registries', anything),
    defaultRuntimeSeccompProfileEnabled: fieldOf(orchKubelet, 'defaultRuntimeSeccompProfileEnabled'),
    registerWithFQDN: fieldOf(orchNode, 'registerWithFQDN'),
    nodeIP: fieldOf(orchNode, 'nodeIP'),
    skipNodeRegistration: fieldOf(orchNode, 'skipNodeRegistration'),
    disableManifestsDirectory: optional('whether pods in a directory of the node are not run', boolean),
  };

  const disk = object({
    device: required('the disk', text()),
    partitions: optional(
      'its partitions, in their order',
      list(
        object({
          size: optional('how large; the last without one takes the rest', size),
          mountpoint: required('where it is mounted', text()),
        }),
      ),
    ),
  });

  const disks = list(disk, { merge: { by: 'device' } });

  const diskSelector = object(
    {
      size: optional('how large: 4GB, or a comparison such as >= 1TB', text()),
      name: optional('its name', text()),
      model: optional('its model', text()),
      serial: optional('its serial number', text()),
      modalias: optional('its modalias', text()),
      uuid: optional('its UUID', text()),
      wwid: optional('its WWID', text()),
      type: optional('what it is', choice('ssd', 'hdd', 'nvme', 'sd')),
      busPath: optional('where it is on its bus', text()),
    },
    {
      check: (value, at) => {
        if (Object.keys(value).length === 0) at.problem('install.selector', 'must say something of the disk');
      },
    },
  );

  const install = object(
    {
      disk: optional('the disk by its device', text()),
      diskSelector: optional('the disk by what it is', diskSelector),
      extraKernelArgs: optional('further arguments of the kernel', list(text())),
      image: optional('what is installed', imageReference),
      extensions: optional(
        'extensions of the image',
        items(object({ image: required('its image', imageReference) }), {}, { by: 'image' }),
      ),
      bootloader: optional('whether a boot loader is written', boolean),
      wipe: optional('whether a disk with content is wiped; otherwise it must be empty', boolean),
      legacyBIOSSupport: optional('whether the disk boots where a BIOS wants it marked', boolean),
      grubUseUKICmdline: optional('whether GRUB takes the command line of the image', boolean),
    },
    {
      check: (value, at) => {
        if (value.grubUseUKICmdline === true && (value.extraKernelArgs ?? []).length > 0)
          at.at('extraKernelArgs').problem(
            'install.kernel_arguments',
            'are not taken with grubUseUKICmdline, which takes those of the image',
          );
        const seen = new Set<string>();
        for (const [index, { image }] of (value.extensions ?? []).entries()) {
          const name = image.replace(/(?:@sha256:[0-9a-f]{64}|:[\w.-]+)$/u, '');
          if (seen.has(name))
            at.at('extensions', index, 'image').problem('install.extension', 'is in the list already');
          seen.add(name);
        }
      },
    },
  );

  const file = object({
    content: required('what is in it', secretMaybe(text({ lines: true, empty: true, longest: 1 << 19 }))),
    permissions: optional('its mode, in octal', fileMode),
    path: required('where it is', text()),
    op: optional('what is done', choice('create', 'append', 'overwrite')),
  });

  const files = items(file);

  const mirror = object({
    endpoints: optional('asked in this order', list(url(['https', 'http']))),
    overridePath: optional('whether the path of the URLs takes the place of /v2', boolean),
    skipFallback: fieldOf(registryMirror, 'skipFallback'),
  });

  const registry = object({
    tls: optional(
      'how the registry and the node know each other',
      object({
        clientIdentity: optional(
          'what the node shows',
          object({
            crt: required('PEM certificate in base64', anyText),
            key: required('PEM private key in base64', hiddenText),
          }),
        ),
        ca: optional('authorities that its certificate may be of: PEM in base64', anyText),
        insecureSkipVerify: optional('whether its certificate is not looked at', boolean),
      }),
    ),
    auth: optional(
      'as whom the node comes',
      object(fieldsOf(registryAuth, 'username', 'password', 'auth', 'identityToken')),
    ),
  });

  const registries = object({
    mirrors: optional('where images of a registry are fetched, by the registry', map(mirror)),
    config: optional('how a registry is spoken to, by the registry', map(registry)),
  });

  const features = object({
    rbac: optional('whether the API asks for roles; it always does', boolean),
    stableHostname: optional('whether the name of the machine is made from its identity', boolean),
    nodeAPIAccess: optional(
      "which pods may call the node's API",
      object({
        enabled: optional('whether any may', boolean),
        ...fieldsOf(orchNodeApiAccess, 'allowedRoles', 'allowedNamespaces'),
      }),
    ),
    apidCheckExtKeyUsage: optional(
      'whether certificates of clients are made for that; it is always asked',
      boolean,
    ),
    diskQuotaSupport: optional('whether project quotas are kept', boolean),
    orchBalancer: optional(
      'the API of the cluster on a port of each node',
      object({
        enabled: optional('whether it is there', boolean),
        port: optional('on 127.0.0.1', integer(1, 65_535)),
      }),
    ),
    hostDNS: fieldOf(resolver, 'hostDNS'),
    imageCache: optional(
      'images that lie on the node already',
      object({ localEnabled: optional('whether images are looked for in it first', boolean) }),
    ),
    nodeAddressSortAlgorithm: optional('how addresses of the node are sorted', choice('v1', 'v2')),
  });

  const systemDiskEncryption = object({
    state: optional('how STATE is encrypted', systemVolume.options.fields['encryption']?.type ?? anything),
    ephemeral: optional(
      'how EPHEMERAL is encrypted',
      systemVolume.options.fields['encryption']?.type ?? anything,
    ),
  });

  const smallMachineFields = {
    env: optional(
      'environment variables of the node and its services',
      environment.options.fields['variables']?.type ?? anything,
    ),
    time: optional(
      'where the clock is set from',
      object({
        disabled: optional('whether it is left alone', boolean),
        servers: optional('servers that are asked', list(host, { most: 32 })),
        bootTimeout: fieldOf(timeSync, 'bootTimeout'),
      }),
    ),
    sysctls: fieldOf(sysctl, 'params'),
    sysfs: fieldOf(sysfs, 'params'),
    udev: optional('permissions, links and names of devices', object({ rules: fieldOf(udevRules, 'rules') })),
    kernel: optional(
      'the kernel',
      object({
        modules: optional(
          'modules that are loaded',
          list(object(fieldsOf(kernelModule, 'name', 'parameters')), { merge: { by: 'name' } }),
        ),
      }),
    ),
  };
  return {
    kubeletFields,
    disks,
    install,
    files,
    registries,
    features,
    systemDiskEncryption,
    smallMachineFields,
  };
}
