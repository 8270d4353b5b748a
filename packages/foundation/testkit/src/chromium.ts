/** How Playwright starts Debian's chromium: it has nothing of its user, and talks to nobody by itself. */
export const chromiumOptions: { readonly executablePath: string; readonly args: string[] } = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** A browser that begins beside emulated machines has been seen to take longer than the 30 s of the library. */
export const chromiumTimeoutMs = 120_000;
