import type { Architecture } from '@nodecore/schematic/release';

import type { KnownSchematic } from '../assets/images.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { html, type Html } from './html.ts';
import { assetsOf, type OfferedAsset, type System } from './systems.ts';
import type { Texts } from './texts.ts';

/** A schematic, and the images of it that are shown. */
export type SchematicView = {
  readonly texts: Texts;
  readonly schematic: KnownSchematic;
  /** Undefined in a factory that has none. */
  readonly release: LoadedRelease | undefined;
  readonly system: System;
  readonly architecture: Architecture;
  readonly isSecureBoot: boolean;
  /** Why the release can't make it. */
  readonly refusal: string | undefined;
  readonly externalUrl: string;
  /** Where iPXE reaches the factory. */
  readonly externalPxeUrl: string;
  /** Whether callers are asked who they are. */
  readonly isGuarded: boolean;
  /** What else may be chosen. */
  readonly offered: {
    readonly versions: readonly string[];
    readonly systems: readonly System[];
    readonly architectures: readonly Architecture[];
    readonly hasSecureBoot: boolean;
  };
};

const uses: Readonly<Record<OfferedAsset['use'], keyof Texts>> = {
  disk: 'useDisk',
  iso: 'useIso',
  uki: 'useUki',
  kernel: 'useKernel',
  initramfs: 'useInitramfs',
  cmdline: 'useCmdline',
  installer: 'useInstaller',
};

export function schematicContent(view: SchematicView): Html {
  const { texts, schematic, release, refusal } = view;
  return html`<h2>${texts.schematic}</h2>
    ${copied(texts, texts.schematicId, schematic.id)}
    <pre tabindex="0" aria-label="${texts.schematic}"><code>${schematic.text}</code></pre>
    ${choice(view)}
    ${refusal !== undefined && html`<p class="notice" role="status">${texts.unsupported} ${refusal}</p>`}
    ${release !== undefined && refusal === undefined && images(view, release)}
    ${release !== undefined && client(view, release)}
    <p><a href="/?lang=${texts.language}">${texts.again}</a></p>`;
}

/** Another version, platform or processor of the same schematic. */
function choice({
  texts,
  schematic,
  release,
  system,
  architecture,
  isSecureBoot,
  offered,
}: SchematicView): Html {
  const systemNames = offered.systems.map(({ name }) => name);
  return html`<form method="get" action="/ui/schematic" class="row">
    <input type="hidden" name="schematic-id" value="${schematic.id}" />
    <input type="hidden" name="lang" value="${texts.language}" />
    ${select('version', texts.stepVersion, offered.versions.toReversed(), release?.version)}
    ${select('platform', texts.stepPlatform, systemNames, system.name)}
    ${select('arch', texts.architecture, offered.architectures, architecture)}
    ${
      offered.hasSecureBoot &&
      html`<p>
        <label
          ><input type="checkbox" name="secureboot" value="true" ${isSecureBoot && html` checked`} />
          ${texts.secureBoot}</label
        >
      </p>`
    }
    <p><button>${texts.show}</button></p>
  </form>`;
}

function images(
  {
    texts,
    schematic,
    system,
    architecture,
    isSecureBoot,
    externalUrl,
    externalPxeUrl,
    isGuarded,
  }: SchematicView,
  release: LoadedRelease,
): Html {
  const base = `${externalUrl}/image/${schematic.id}/${release.version}`;
  const end = isSecureBoot ? '-secureboot' : '';
  const assets = assetsOf(system, architecture, isSecureBoot);
  const first = assets[0]?.name ?? '';
  const registry = externalUrl.replace(/^https?:\/\//, '');
  const installer = `${registry}/${system.name.toLowerCase()}-installer${end}/${schematic.id}:${release.version}`;
  // It asks for the password, which may be a token.
  const curl = isGuarded ? 'curl --user NAME' : 'curl';
  const commands = [
    `${curl} --remote-name --continue-at - ${base}/${first}`,
    `${curl} --silent ${base}/${first}.sha256 | sha256sum --check`,
    `osctl upgrade --image ${installer}`,
  ];
  return html`<h2>${texts.images}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.image}</th>
          <th scope="col">${texts.use}</th>
          <th scope="col">${texts.checksums}</th>
        </tr>
      </thead>
      <tbody>
        ${assets.map(
          ({ name, use }) =>
            html`<tr>
              <th scope="row"><a href="${base}/${name}">${name}</a></th>
              <td>${texts[uses[use]]}</td>
              <td>
                <a href="${base}/${name}.sha256" aria-label="SHA-256: ${name}">SHA-256</a>
                <a href="${base}/${name}.sha512" aria-label="SHA-512: ${name}">SHA-512</a>
                <a href="${base}/${name}.sigstore.json" aria-label="${texts.signature}: ${name}"
                  >${texts.signature}</a
                >
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    <h2>${texts.installer}</h2>
    <p class="hint">${texts.installerHint}</p>
    ${copied(texts, texts.installer, installer)}
    ${
      system.starts.includes('pxe') &&
      html`<h2>${texts.pxe}</h2>
        ${copied(texts, texts.pxe, `${externalPxeUrl}/pxe/${schematic.id}/${release.version}/${system.name}-${architecture}${end}`)}`
    }
    <h2>${texts.commands}</h2>
    <pre tabindex="0" aria-label="${texts.commands}"><code>${commands.join('\n')}</code></pre>`;
}

function client({ texts, externalUrl }: SchematicView, { version, clients }: LoadedRelease): Html {
  if (clients.length === 0)
    return html`<h2>${texts.client}</h2>
      <p>${texts.clientNone}</p>`;
  const base = `${externalUrl}/osctl/${version}`;
  return html`<h2>${texts.client}</h2>
    <ul>
      ${clients.map((name) => html`<li><a href="${base}/${name}">${name}</a></li>`)}
    </ul>`;
}

/** A text with a button that copies it, which is there only where a script runs. */
function copied(texts: Texts, label: string, text: string): Html {
  return html`<p class="copied">
    <code>${text}</code>
    <button
      type="button"
      hidden
      data-copy="${text}"
      data-copied="${texts.copied}"
      aria-label="${texts.copy}: ${label}"
    >
      ${texts.copy}
    </button>
  </p>`;
}

function select(name: string, label: string, values: readonly string[], chosen: string | undefined): Html {
  return html`<p>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${values.map((value) => html`<option ${value === chosen && html` selected`}>${value}</option>`)}
    </select>
  </p>`;
}
