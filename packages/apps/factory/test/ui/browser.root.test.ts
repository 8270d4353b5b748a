import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { chromiumOptions, chromiumTimeoutMs, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

import { bearer, guardedFactory, tokenOf } from '../known-callers.ts';
import { ask, factoryOptions, runningFactory, writeRelease } from '../running-factory.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

type BrowserOptions = {
  readonly javaScriptEnabled?: boolean;
  readonly locale?: string;
  readonly httpCredentials?: { readonly username: string; readonly password: string };
};

/** A browser without anything of its user; what its console says is an error. */
async function browserOf(
  t: ExecutionContext,
  errors: string[],
  options: BrowserOptions = {},
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(await temporaryDirectory(t), {
    ...chromiumOptions,
    ...options,
  });
  t.teardown(async () => await context.close());
  context.setDefaultTimeout(chromiumTimeoutMs);
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return context;
}

type Found = { readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[] };

/** What axe finds wrong with a page, in words. */
async function complaintsOf(page: Page): Promise<readonly string[]> {
  // The policy of a page lets no script into it but its own: this one comes from outside of it.
  await page.evaluate(await readFile(axe, 'utf8'));
  const found: Found = await page.evaluate('axe.run()');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const embedded = 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: secret-of-a-join\n';

/** Goes through the whole wizard by its labels, and looks at each page. @returns the ID of the schematic. */
async function walk(page: Page, origin: string, look: () => Promise<void>): Promise<string> {
  await page.goto(origin);
  await look();
  await page.getByRole('link', { name: 'Machine of your own' }).click();
  await look();
  await page.getByRole('link', { name: 'v1.14.1' }).click();
  await page.getByRole('radio', { name: 'amd64' }).check();
  await look();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('checkbox', { name: 'os/btrfs' }).check();
  await page.getByRole('searchbox', { name: 'Search extensions' }).fill('tools');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('checkbox', { name: 'os/tools' }).check();
  await look();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Kernel arguments' }).fill('console=ttyS0');
  await page.getByRole('textbox', { name: 'Values for META' }).fill('nonsense');
  await page.getByRole('textbox', { name: 'Embedded machine configuration' }).fill(embedded);
  await page.getByRole('button', { name: 'Create schematic' }).click();
  await page.getByRole('alert').getByText('META: line 1').waitFor();
  await look();
  await page.getByRole('textbox', { name: 'Values for META' }).fill('0x0a=text');
  await page.getByRole('button', { name: 'Create schematic' }).click();
  await page.getByRole('heading', { name: 'Your image' }).waitFor();
  await look();
  return new URL(page.url()).searchParams.get('schematic-id') ?? '';
}

testWith(program('chromium'))(
  'the wizard leads to the same schematic with a script and without, accessibly, and any page is a link',
  async (t) => {
    const { directory: _, ...options } = await factoryOptions(t);
    const squashfs = Buffer.from('hsqs');
    await writeRelease(options.releases, 'v1.14.1', { 'os/tools': squashfs, 'os/btrfs': squashfs });
    const running = await runningFactory(t, options);
    const origin = `http://127.0.0.1:${running.factory.address.port}`;
    const ids: string[] = [];
    for (const javaScriptEnabled of [true, false]) {
      const errors: string[] = [];
      const context = await browserOf(t, errors, { javaScriptEnabled, locale: 'en-GB' });
      const page = context.pages()[0] ?? (await context.newPage());
      const id = await walk(page, origin, async () => {
        if (javaScriptEnabled) t.deepEqual(await complaintsOf(page), [], page.url());
        t.false(page.url().includes('secret-of-a-join'));
      });
      ids.push(id);
      const text = (await ask(running, `/schematics/${id}`)).body.toString();
      for (const part of ['os/btrfs', 'os/tools', 'console=ttyS0', 'key: 10', 'hostname: secret-of-a-join'])
        t.true(text.includes(part), part);
      // Back is the form as it was, the same page in German is a link, and a link is the page.
      const address = page.url();
      await page.getByRole('link', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Ihr Image' }).waitFor();
      t.is(await page.locator('html').getAttribute('lang'), 'de');
      if (javaScriptEnabled) t.deepEqual(await complaintsOf(page), []);
      await page.goBack();
      t.is(page.url(), address);
      const other = await context.newPage();
      await other.goto(address);
      t.is(await other.getByRole('main').innerText(), await page.getByRole('main').innerText());
      await other.goto(`${origin}/ui/api`);
      await other.getByRole('rowheader', { name: 'POST /schematics' }).waitFor();
      if (javaScriptEnabled) t.deepEqual(await complaintsOf(other), []);
      // One answer is a refusal on purpose, which a console tells of.
      t.deepEqual(
        errors.filter((line) => !line.includes('status of 400')),
        [],
      );
      await context.close();
    }
    t.is(ids[0], ids[1]);
  },
);

testWith(program('chromium'))(
  'with the keyboard alone, extensions are found while a word is typed',
  async (t) => {
    const { directory: _, ...options } = await factoryOptions(t);
    const squashfs = Buffer.from('hsqs');
    await writeRelease(options.releases, 'v1.14.1', { 'os/tools': squashfs, 'os/btrfs': squashfs });
    const running = await runningFactory(t, options);
    const errors: string[] = [];
    const page = await (await browserOf(t, errors)).newPage();
    await page.goto(
      `http://127.0.0.1:${running.factory.address.port}/?target=metal&version=v1.14.1&arch=amd64&lang=en`,
    );
    await page.keyboard.press('Tab');
    t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    t.is(await page.evaluate('document.activeElement.id'), 'content');
    const search = page.getByRole('searchbox');
    await search.focus();
    await page.keyboard.type('btr');
    await page.getByText('Extensions found: 1').waitFor();
    t.false(await page.getByRole('checkbox', { name: 'os/tools' }).isVisible());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    t.true(await page.getByRole('checkbox', { name: 'os/btrfs' }).isChecked());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create schematic' }).waitFor();
    t.is(new URL(page.url()).searchParams.getAll('extensions').join(''), 'os/btrfs');
    t.deepEqual(errors, []);
  },
);

testWith(program('chromium'))(
  'a browser that was asked for a token issues another one, and takes it back',
  async (t) => {
    const running = await guardedFactory(t);
    const scopes = ['token:issue', 'token:read', 'token:revoke', 'image:read'] as const;
    const password = await tokenOf(running, 'ann', [...scopes], [...scopes]);
    const errors: string[] = [];
    const httpCredentials = { username: 'ann', password };
    const page = await (await browserOf(t, errors, { httpCredentials, locale: 'de-DE' })).newPage();
    await page.goto(`http://127.0.0.1:${running.factory.address.port}/ui/tokens`);
    await page.getByRole('textbox', { name: 'Name' }).fill('rack-7');
    await page.getByRole('radio', { name: /einen Node/u }).check();
    await page.getByRole('button', { name: 'Ausgeben' }).click();
    const notice = page.getByRole('status');
    const token = (await notice.locator('code').textContent()) ?? '';
    t.deepEqual(await complaintsOf(page), []);
    const status = async (): Promise<number> =>
      (await ask(running, '/v2/', { headers: bearer(token) })).status;
    t.is(await status(), 200);
    t.false(page.url().includes(token));
    await page.getByRole('button', { name: 'Widerrufen: rack-7' }).click();
    await page.getByText('keine gespeicherten Tokens').waitFor();
    t.is(await status(), 401);
    t.deepEqual(
      errors.filter((line) => !line.includes('401')),
      [],
    );
  },
);
