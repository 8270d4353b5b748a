import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { output, type SoftwareTpm, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { flush } from './real-world.ts';

/** What `scripts/setup` has unpacked where the machine's own systemd is older than 254. */
const unpacked = fileURLToPath(new URL('../../../../.cache/systemd', import.meta.url));
const isUnpacked = existsSync(unpacked);
const libraries = isUnpacked ? { LD_LIBRARY_PATH: join(unpacked, 'lib') } : {};

/** Keeps libcryptsetup from loading the machine's plugin, of another systemd, into a program of the unpacked one. */
const without = `
#include <dlfcn.h>
#include <stddef.h>
__attribute__((constructor)) static void disable(void) {
  void *library = dlopen("libcryptsetup.so.12", RTLD_NOW | RTLD_GLOBAL);
  void (*off)(void) = library == NULL ? NULL : (void (*)(void)) dlsym(library, "crypt_token_external_disable");
  if (off != NULL) off();
}
`;

/** systemd-cryptenroll of 254 or later, which seals under the key that stays in the TPM; or the machine's own. */
export async function enroll(
  t: ExecutionContext,
  path: string,
  software: SoftwareTpm,
  options: readonly string[],
  { own = false }: { readonly own?: boolean } = {},
): Promise<void> {
  const isPeer = isUnpacked && !own;
  const program = isPeer ? join(unpacked, 'systemd-cryptenroll') : 'systemd-cryptenroll';
  const alone = isPeer ? { LD_PRELOAD: await compiled(t, without, '-shared', '-fPIC'), ...libraries } : {};
  await output([program, `--tpm2-device=${software.tcti}`, '--tpm2-public-key=', ...options, path], {
    env: { PASSWORD: 'correct horse', NEWPIN: '1234', ...alone },
  });
  await flush(software);
}

/**
 * Opens with the systemd plugin of libcryptsetup, as `cryptsetup open --token-only` does, which has no way to name another
 * TPM than the machine's. The structure is that of systemd's cryptsetup-token-systemd-tpm2.c.
 */
const opener = `
#include <dlfcn.h>
#include <libcryptsetup.h>
#include <stdint.h>
#include <stdio.h>
struct { uint32_t search_pcr_mask; const char *device; const char *signature_path; const char *more[4]; } params;
int main(int argc, char **argv) {
  struct crypt_device *cd;
  if (argc > 3) {
    static crypt_token_handler handler = { .name = "systemd-tpm2" };
    void *plugin = dlopen(argv[3], RTLD_NOW);
    if (plugin == NULL) return 3;
    *(void **) &handler.open = dlsym(plugin, "cryptsetup_token_open");
    *(void **) &handler.buffer_free = dlsym(plugin, "cryptsetup_token_buffer_free");
    *(void **) &handler.validate = dlsym(plugin, "cryptsetup_token_validate");
    if (handler.open == NULL || crypt_token_register(&handler) < 0) return 4;
  }
  if (argc < 3 || crypt_init(&cd, argv[1]) < 0 || crypt_load(cd, CRYPT_LUKS2, NULL) < 0) return 2;
  params.search_pcr_mask = UINT32_MAX;
  params.device = argv[2];
  int slot = crypt_activate_by_token_pin(cd, NULL, "systemd-tpm2", CRYPT_ANY_TOKEN, NULL, 0, &params, 0);
  crypt_free(cd);
  printf("%d", slot);
  return 0;
}
`;

/** The keyslot that systemd 254 or later opens; negative when none. */
export async function openedBySystemd(
  t: ExecutionContext,
  path: string,
  software: SoftwareTpm,
): Promise<number> {
  const program = await compiled(t, opener);
  const plugin = isUnpacked ? [join(unpacked, 'lib', 'libcryptsetup-token-systemd-tpm2.so')] : [];
  const slot = Number(await output([program, path, software.tcti, ...plugin], { env: libraries }));
  await flush(software);
  return slot;
}

async function compiled(t: ExecutionContext, source: string, ...flags: readonly string[]): Promise<string> {
  const path = join(await temporaryDirectory(t), 'compiled');
  await writeFile(`${path}.c`, source);
  await output(['gcc', ...flags, '-o', path, `${path}.c`, '-lcryptsetup', '-ldl']);
  return path;
}
