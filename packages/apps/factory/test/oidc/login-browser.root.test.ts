import { chromiumOptions, chromiumTimeoutMs, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { chromium } from 'playwright-core';

import { oidcFactory } from './oidc-factory.ts';

const test = testWith(program('chromium'));

test('somebody in a browser is led to the issuer and back, issues a token, and logs out', async (t) => {
  const { issuer, running } = await oidcFactory(t, {}, { externalUrl: undefined as never });
  const context = await chromium.launchPersistentContext(await temporaryDirectory(t), chromiumOptions);
  t.teardown(async () => await context.close());
  context.setDefaultTimeout(chromiumTimeoutMs);
  const [page = await context.newPage()] = context.pages();
  const refusedByPolicy: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusedByPolicy.push(message.text());
  });
  const origin = running.factory.externalUrl;
  await page.goto(`${origin}/ui/tokens?lang=en`);
  t.is(page.url(), `${origin}/ui/tokens?lang=en`);
  t.is(issuer.count('/authorize'), 1);
  await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
  await page.getByRole('radio', { name: /an operator/ }).check();
  await page.getByRole('button', { name: 'Issue' }).click();
  await page.getByRole('heading', { name: 'Your new token' }).waitFor();
  t.is(await page.evaluate('document.cookie'), ''); // no script reads it
  await page.getByRole('link', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Logged out' }).waitFor();
  t.is(issuer.count('/authorize'), 1);
  await page.goto(`${origin}/ui/tokens?lang=en`);
  await page.getByRole('rowheader', { name: 'laptop' }).waitFor();
  t.is(issuer.count('/authorize'), 2);
  t.deepEqual(refusedByPolicy, []);
});
