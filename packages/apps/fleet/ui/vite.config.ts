import { defineConfig, type UserConfig } from 'vite';
import solid from 'vite-plugin-solid';

/** The page as static files, named by their content, for a server with a strict content security policy. */
const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  plugins: [solid()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // no data: URLs, which the policy does not allow
    modulePreload: { polyfill: false },
  },
});

export default config;
