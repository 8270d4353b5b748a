import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { object } from '../../field/object.ts';
import { atLeastOne } from '../../field/rule.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { optional, required } from '../../field/type.ts';
import { documentName } from '../../type/document-name.ts';
import { environmentEntry } from '../../type/environment-entry.ts';
import { absolutePath } from '../containers/container-mounts.ts';

const configFile = object({
  content: required('what it holds', secretMaybe(text({ lines: true, longest: 65_536 }))),
  mountPath: required('where the service finds it', absolutePath),
});

/** `ExtensionServiceConfig`: files and variables of a service that an extension of the image brings. */
export const extensionService = document(
  'ExtensionServiceConfig',
  'files and variables of a service that an extension brings',
  () => ({
    takesEffect: 'service',
    container: 'ignored',
    fields: {
      name: required('the service', documentName),
      configFiles: optional('files', list(configFile, { merge: { by: 'mountPath' } })),
      environment: optional('variables, as NAME=value', secretMaybe(list(environmentEntry))),
    },
    rules: [atLeastOne('configFiles', 'environment')],
    example:
      'name: nut-client\nconfigFiles:\n  - mountPath: /usr/local/etc/nut/upsmon.conf\n    content: |\n      MONITOR ups\n',
  }),
);
