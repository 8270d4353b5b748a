import { rootDocument } from '../../document.ts';
import { deferred } from '../../field/deferred.ts';
import { object } from '../../field/object.ts';
import { type Rule } from '../../field/rule.ts';
import { list, map } from '../../field/list.ts';
import { boolean, choice, integer } from '../../field/scalars.ts';
import { anyText, hiddenText, items, textLike, wholeNumber } from '../../field/shape.ts';
import { text } from '../../field/text.ts';
import { optional, required, type Field, type Type } from '../../field/type.ts';
import { machineType } from '../../legacy/machine-type.ts';
import { legacyClusterFields, legacyMachineFields } from '../../legacy/sections.ts';
import { readMachineRoot } from '../../machine-root.ts';
import { imageReference } from '../../type/image.ts';
import { url } from '../../type/url.ts';

/** A certificate of an authority, and that with its key. */
function certificates(): { readonly certificate: Field<string>; readonly authority: Type<unknown> } {
  const certificate = required('PEM certificate in base64', anyText);
  return {
    certificate,
    authority: object({ crt: certificate, key: required('PEM private key in base64', hiddenText) }),
  };
}

/** `cluster.kvstore`. */
function kvstoreBlock(): Type<unknown> {
  const { authority } = certificates();
  const volumeName = textLike('^[A-Za-z0-9-]{1,34}$');

  const snapshots = object({
    interval: required('from one to the next, at least 1m (6h0m0s)', anyText),
    keep: optional('so many, the newest (default: 28)', wholeNumber),
    volume: optional('name of the user volume that holds them (default: where the data is)', volumeName),
    rehearse: optional(
      'a copy of one is restored and started apart so often, at least 1h (24h0m0s; default: never)',
      anyText,
    ),
  });

  return object({
    ca: required('issues the certificates of members and their clients', authority),
    program: optional('path of etcd 3.5 or newer (default: in the path)', anyText),
    volume: optional('name of the user volume that holds the data (default: EPHEMERAL)', volumeName),
    image: optional('its image, where it is run as a container', imageReference),
    subnet: optional('an older word for the only one of advertisedSubnets', anyText),
    endpoints: optional('client URLs of members; a node without data joins them', items(anyText)),
    advertisedSubnets: optional('10.0.0.0/8, or !10.1.0.0/16', items(anyText)),
    listenSubnets: optional('as advertisedSubnets; none: all', items(anyText)),
    extraArgs: optional('more flags of etcd, without their dashes', map(anyText, { most: Infinity })),
    snapshots: optional('copies that the node takes of its own member', snapshots),
    defragmentation: optional(
      'how often its own member gives back what it does not use',
      object({ interval: required('from one to the next, at least 1h (24h0m0s)', anyText) }),
    ),
  });
}

/** `machine`. */
function machineBlock(): Type<unknown> {
  const { certificate, authority } = certificates();
  /** As the lines of a kernel are sent, with what services say besides. */
  const destination = object({
    endpoint: required('tcp:// or udp://, host and port', url(['tcp', 'udp'], { bare: true, port: true })),
    format: required('of a line', choice('json_lines')),
    extraTags: optional('fields that each line has besides', map(text({ longest: 1024 }), { most: 64 })),
  });

  return object(
    {
      type: required('what it is in its cluster', machineType),
      token: optional('lets a machine join', hiddenText),
      ca: required("issues this node's certificate and vouches for its clients", authority),
      acceptedCAs: optional(
        'more authorities whose clients are accepted',
        items(object({ crt: certificate })),
      ),
      certSANs: optional("names and addresses in the node's certificate", items(anyText)),
      logging: optional(
        'who gets what the kernel and the services say',
        object({ destinations: required('each gets every line', list(destination, { least: 1, most: 16 })) }),
      ),
      ...legacyMachineFields(),
    },
    { secretive: false },
  );
}

/** The URL may be in a document of its own. */
const endpointOrPort: Rule = {
  says: 'endpoint, unless an OrchClusterConfig has it',
  json: { anyOf: [{ required: ['endpoint'] }, { required: ['localAPIServerPort'] }] },
  check: (at) => {
    if (at.get('endpoint') === undefined && at.get('localAPIServerPort') === undefined)
      at.problemAt('endpoint', 'required', 'required and missing');
  },
};

/** `cluster`. */
function clusterBlock(): Type<unknown> {
  return object(
    {
      id: optional('tells clusters apart', anyText),
      secret: optional('32 bytes in base64', hiddenText),
      token: optional('lets a machine join the orchestrator', hiddenText),
      clusterName: optional('a word for it', anyText),
      controlPlane: optional(
        'the orchestrator',
        object(
          {
            endpoint: optional('its URL, https://host:port', anyText),
            localAPIServerPort: optional('where its API listens on this machine', integer(1, 65_535)),
          },
          { rules: [endpointOrPort] },
        ),
      ),
      kvstore: optional('how this machine is a member of the kvstore', kvstoreBlock()),
      ...legacyClusterFields(),
    },
    { secretive: false },
  );
}

/** The root document, which has `version` and neither `apiVersion` nor `kind`. */
export const machineRoot = rootDocument(
  'what makes a machine a member of a cluster',
  () => ({
    takesEffect: 'service',
    fields: {
      version: required('of the documents', choice('v1alpha1')),
      debug: optional('whether the node says more', boolean),
      persist: optional('an older word; a configuration is always kept', boolean),
      machine: required('the machine itself', deferred(machineBlock)),
      cluster: optional('its cluster', deferred(clusterBlock)),
    },
    example: '',
  }),
  readMachineRoot,
);
