import type { OpenApiDocument } from '../openapi/document.ts';
import { html, type Html } from './html.ts';
import type { Texts } from './texts.ts';

/** The interface for people: what its description says, in a table. */
export function apiContent(texts: Texts, { paths }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return html`<p>
      ${texts.apiHint} <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="${texts.apiTitle}">
      <table>
        <thead>
          <tr>
            <th scope="col">${texts.apiMethod}</th>
            <th scope="col">${texts.apiSummary}</th>
            <th scope="col">${texts.apiScopes}</th>
          </tr>
        </thead>
        <tbody>
          ${operations.map(
            ({ name, operation: { summary, 'x-factory-scopes': scopes } }) =>
              html`<tr>
                <th scope="row"><code>${name}</code></th>
                <td lang="en">${summary}</td>
                <td>${scopes.length === 0 ? texts.everybody : scopes.join(', ')}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
