import { certificate, rootAuthority } from '../../authority.ts';
import { rootDocument } from '../../document.ts';
import { deferred } from '../../field/deferred.ts';
import { object } from '../../field/object.ts';
import { type Rule } from '../../field/rule.ts';
import { kvstoreBlock } from '../../kvstore.ts';
import { list, map } from '../../field/list.ts';
import { boolean, choice, integer } from '../../field/scalars.ts';
import { anyText, items } from '../../field/shape.ts';
import { secret } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { optional, required, type Type } from '../../field/type.ts';
import { machineType } from '../../legacy/machine-type.ts';
import { legacyClusterFields, legacyMachineFields } from '../../legacy/sections.ts';
import {
  certificateName,
  clusterEndpoint,
  clusterSecret,
  machineRootOf,
  type RootFields,
} from '../../machine-root.ts';
import { url } from '../../type/url.ts';

/** `machine`. */
function machineBlock(): Type<unknown> {
  /** As the lines of a kernel are sent, with what services say besides. */
  const destination = object({
    endpoint: required('tcp:// or udp://, host and port', url(['tcp', 'udp'], { bare: true, port: true })),
    format: required('of a line', choice('json_lines')),
    extraTags: optional('fields that each line has besides', map(text({ longest: 1024 }), { most: 64 })),
  });

  return object(
    {
      type: required('what it is in its cluster', machineType),
      token: optional('by it control planes know their workers', secret(anyText)),
      ca: required("issues nodes' certificates and vouches for clients", rootAuthority),
      acceptedCAs: optional(
        'more authorities whose clients are accepted',
        items(object({ crt: required('PEM certificate in base64', certificate) })),
      ),
      certSANs: optional("names and addresses in the node's certificate", items(certificateName)),
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
      secret: optional('32 bytes in base64', clusterSecret),
      token: optional('lets a machine join the orchestrator', secret(anyText)),
      clusterName: optional('a word for it', anyText),
      controlPlane: optional(
        'the orchestrator',
        object(
          {
            endpoint: optional('its URL, https://host:port', clusterEndpoint),
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
  (root, value) => machineRootOf(root, value as RootFields | undefined), // its parts are described when they are met
);
