import { isMap, isScalar, parseAllDocuments } from 'yaml';

import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { map } from '../../field/list.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { optional, required, type Type } from '../../field/type.ts';
import { dnsLabel } from '../../type/dns-name.ts';
import { url } from '../../type/url.ts';

const headerName = text({
  longest: 256,
  pattern: { regex: /^[A-Za-z0-9-]+$/u, code: 'header.name', message: 'must be the name of a header' },
});

/** `OrchExternalManifestConfig`: objects that are made from a URL. */
export const orchExternalManifest = document(
  'OrchExternalManifestConfig',
  'objects that are made from a URL',
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    fields: {
      name: required('a name for it', dnsLabel),
      url: required('where they are', url(['https', 'http'])),
      headers: optional('sent along', secretMaybe(map(text({ empty: true }), { names: headerName }))),
    },
    example: 'name: ingress\nurl: https://manifests.example/ingress.yaml\n',
  }),
);

const body = text({ lines: true, longest: 1 << 20 });

/** YAML documents of the orchestrator; mistakes are shown where they are in the text. */
const manifest: Type<string> = {
  ...secretMaybe(body),
  says: 'YAML',
  read: (at) => {
    const content = body.read(at);
    if (content === undefined) return undefined;
    const documents = parseAllDocuments(content, { prettyErrors: true });
    const found = Array.isArray(documents) ? documents : [];
    const offset = (line: number, column: number): number => at.ahead({ line, column });
    for (const { errors } of found) {
      const [place] = errors[0]?.linePos ?? [];
      if (errors[0] === undefined) continue;
      at.problem('manifest.yaml', 'is not YAML here', offset(place?.line ?? 1, place?.col ?? 1));
      return undefined;
    }
    for (const one of found) {
      const { contents } = one;
      if (contents === null || (isScalar(contents) && contents.value === null)) continue; // comments alone
      const line = content.slice(0, contents.range?.[0] ?? 0).split('\n').length;
      if (isMap(contents) && contents.has('apiVersion') && contents.has('kind')) continue;
      at.problem('manifest.kind', 'begins a document without apiVersion and kind', offset(line, 1));
      return undefined;
    }
    return content;
  },
};

/** `OrchInlineManifestConfig`: objects that are made as they stand here. */
export const orchInlineManifest = document(
  'OrchInlineManifestConfig',
  'objects that are made as they stand here',
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    fields: {
      name: required('a name for it', dnsLabel),
      manifest: required('the objects, in YAML', manifest),
    },
    example: 'name: space\nmanifest: |\n  apiVersion: v1\n  kind: Namespace\n  metadata: {name: space}\n',
  }),
);

/** `OrchStaticPodConfig`: a pod that runs whatever the orchestrator says. */
export const orchStaticPod = document(
  'OrchStaticPodConfig',
  'a pod that runs on this node, whatever the orchestrator says',
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    fields: { name: required('a name for it', dnsLabel), pod: required('the pod', anything) },
    check: ({ pod }, at) => {
      if (Object.keys(pod).length === 0) at.at('pod').problem('static_pod.empty', 'must not be empty');
    },
    example: 'name: proxy\npod: {apiVersion: v1, kind: Pod, metadata: {name: proxy}}\n',
  }),
);
