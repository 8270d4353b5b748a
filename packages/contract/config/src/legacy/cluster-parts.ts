import { anything } from '../field/anything.ts';
import { list } from '../field/list.ts';
import { object } from '../field/object.ts';
import { boolean, choice } from '../field/scalars.ts';
import { secret } from '../field/secret.ts';
import { anyText, hiddenText, items } from '../field/shape.ts';
import { text } from '../field/text.ts';
import { optional, required, type Fields, type Type } from '../field/type.ts';
import { orchAdmissionControl, orchApiServer, orchAuthorizer } from '../kind/orchestrator/api-server.ts';
import { orchNetwork } from '../kind/orchestrator/cluster.ts';
import { orchCoreDns, orchFlannelCni, orchProxy, orchScheduler } from '../kind/orchestrator/control-plane.ts';
import { orchExternalManifest, orchInlineManifest } from '../kind/orchestrator/manifests.ts';
import { duration } from '../type/duration.ts';
import { url } from '../type/url.ts';
import { fieldOf, fieldsOf } from './field-of.ts';

/** Parts of `cluster`. */
export type ClusterParts = { readonly smallClusterFields: Fields } & Readonly<
  Record<'apiServer' | 'controllerManager' | 'scheduler' | 'proxy' | 'clusterNetwork', Type<unknown>>
>;

/** Parts of `cluster`, described when they are met. */
export function clusterParts(): ClusterParts {
  const certificate = required('PEM certificate in base64', anyText);

  const legacyPair = object({
    crt: certificate,
    key: optional('PEM private key in base64', hiddenText),
  });

  const volume = object({
    hostPath: required('on the node', text()),
    mountPath: required('in the pod', text()),
    readonly: optional('whether it is only read', boolean),
  });

  const pod = {
    ...fieldsOf(orchApiServer, 'image', 'extraArgs', 'env', 'resources'),
    extraVolumes: optional(
      'directories of the node that it sees',
      list(volume, { merge: { by: 'mountPath' } }),
    ),
  };

  const apiServer = object({
    ...pod,
    certSANs: fieldOf(orchApiServer, 'certExtraSANs'),
    disablePodSecurityPolicy: optional('of a policy that is gone', boolean),
    admissionControl: optional(
      'plugins that look at what is created',
      list(object(fieldsOf(orchAdmissionControl, 'name', 'configuration')), { merge: { by: 'name' } }),
    ),
    auditPolicy: optional('what the API writes into its audit log', anything),
    authorizationConfig: optional(
      'who decides what is allowed, in this order',
      list(object(fieldsOf(orchAuthorizer, 'type', 'name', 'webhook')), { merge: { by: 'name' } }),
    ),
  });

  const controllerManager = object(pod);

  const scheduler = object({ ...pod, config: fieldOf(orchScheduler, 'config') });

  const proxy = object({
    disabled: optional('whether the node does not run it', boolean),
    ...fieldsOf(orchProxy, 'image', 'mode', 'extraArgs'),
  });

  const cni = object(
    {
      name: optional('which one', choice('flannel', 'custom', 'none')),
      urls: optional('what is made for a custom one', list(url(['https', 'http']))),
      flannel: optional(
        'settings of flannel',
        object(fieldsOf(orchFlannelCni, 'extraArgs', 'networkPoliciesEnabled')),
      ),
    },
    {
      check: ({ name = 'flannel', urls, flannel }, at) => {
        if (name !== 'custom' && urls !== undefined)
          at.at('urls').problem('cni.urls', 'are taken with name: custom alone');
        if (name !== 'flannel' && flannel !== undefined)
          at.at('flannel').problem('cni.flannel', 'is taken with name: flannel alone');
        if (name === 'custom' && (urls ?? []).length === 0)
          at.at('name').warning('cni.urls', 'has no urls: somebody else makes the network of pods');
      },
    },
  );

  const clusterNetwork = object({
    cni: optional('the network of pods', cni),
    ...fieldsOf(orchNetwork, 'dnsDomain', 'podSubnets', 'serviceSubnets'),
  });

  const discovery = object({
    enabled: optional('whether members look for each other', boolean),
    registries: optional(
      'where',
      object({
        orch: optional('in the orchestrator', object({ disabled: optional('whether not there', boolean) })),
        service: optional(
          'at a service',
          object({
            disabled: optional('whether not there', boolean),
            endpoint: optional('where it is', url(['https', 'http', 'grpc'], { bare: true })),
          }),
        ),
      }),
    ),
  });

  const externalCloudProvider = object(
    {
      enabled: optional('whether a program of the cloud takes part', boolean),
      manifests: optional('objects that are made for it', list(url(['https', 'http']))),
    },
    {
      check: ({ enabled = false, manifests = [] }, at) => {
        if (!enabled && manifests.length > 0)
          at.at('manifests').problem('cloud_provider.manifests', 'are taken with enabled: true alone');
      },
    },
  );

  const smallClusterFields = {
    aescbcEncryptionSecret: optional('encrypts secrets in the kvstore by AES-CBC', secret(text())),
    secretboxEncryptionSecret: optional('encrypts secrets in the kvstore by secretbox', secret(text())),
    ca: optional("issues certificates of the orchestrator's API", legacyPair),
    acceptedCAs: optional('further authorities that are taken', items(object({ crt: certificate }))),
    aggregatorCA: optional('issues certificates of extensions of the API', legacyPair),
    serviceAccount: optional(
      'what tokens of workloads are signed with',
      object({ key: optional('PEM private key in base64', hiddenText) }),
    ),
    discovery: optional('where members of the cluster find each other', discovery),
    coreDNS: optional(
      'names of services',
      object({
        disabled: optional('whether the node does not bring it', boolean),
        image: fieldOf(orchCoreDns, 'image'),
      }),
    ),
    externalCloudProvider: optional('a program of the cloud', externalCloudProvider),
    extraManifests: optional('objects that are made from URLs', list(url(['https', 'http']))),
    extraManifestHeaders: fieldOf(orchExternalManifest, 'headers'),
    inlineManifests: optional(
      'objects that are made as they stand here',
      list(
        object({
          name: fieldOf(orchInlineManifest, 'name'),
          contents: optional(
            'the objects, in YAML',
            orchInlineManifest.options.fields['manifest']?.type ?? anyText,
          ),
        }),
        { merge: { by: 'name' } },
      ),
    ),
    adminOrchconfig: optional(
      'the client configuration of an administrator',
      object({ certLifetime: optional('how long its certificate is valid; a year', duration()) }),
    ),
    allowSchedulingOnMasters: optional('whether workloads run on the control plane', boolean),
    allowSchedulingOnControlPlanes: optional('whether workloads run on the control plane', boolean),
  };
  return { apiServer, controllerManager, scheduler, proxy, clusterNetwork, smallClusterFields };
}
