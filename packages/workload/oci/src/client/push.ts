import { systemClock, within } from '@nodecore/waiting';

import { type Digest, DigestCheck, digestOf } from '../digest.ts';
import { OciError } from '../errors.ts';
import type { Descriptor } from '../manifest.ts';
import type { Asker } from './asker.ts';

/** Where something goes. */
type Place = { readonly repository: string; readonly signal: AbortSignal | undefined };

const scopeOf = ({ repository }: Place): string => `repository:${repository}:pull,push`;

/** Whether it is there already. */
export async function hasBlob(asker: Asker, place: Place, digest: Digest): Promise<boolean> {
  const { repository, signal } = place;
  const asked = { method: 'HEAD', also: [404], signal } as const;
  const answer = await asker.ask(`/v2/${repository}/blobs/${digest}`, scopeOf(place), asked);
  await answer.body?.cancel();
  return answer.ok;
}

/** Two requests, as every registry knows them: an upload is begun, and all bytes are put to the address that it has. */
export async function pushBlob(
  asker: Asker,
  place: Place & { readonly silenceMs: number },
  { digest, size }: Pick<Descriptor, 'digest' | 'size'>,
  content: () => AsyncIterable<Uint8Array>,
): Promise<boolean> {
  if (await hasBlob(asker, place, digest)) return false;
  const { repository, signal, silenceMs } = place;
  const begun = await asker.ask(`/v2/${repository}/blobs/uploads/`, scopeOf(place), {
    method: 'POST',
    headers: { 'content-length': '0' },
    signal,
  });
  await begun.body?.cancel();
  const upload = URL.parse(begun.headers.get('location') ?? '', begun.url);
  if (begun.status !== 202 || begun.headers.get('location') === null || upload === null)
    throw new OciError('ERR_OCI_ANSWER', `${hostOf(begun)}: it does not say where a blob goes`);
  upload.searchParams.append('digest', digest);

  const given = new AbortController();
  const sending = new Sending(digest, size, content);
  const sent = asker.ask(upload, scopeOf(place), {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': `${size}` },
    body: () => sending.chunks(),
    signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]),
  });
  try {
    for (;;) {
      const before = sending.taken;
      const answer = await within(systemClock, silenceMs, sent);
      if (answer !== undefined) return await endOf(answer.value);
      if (sending.taken > before) continue;
      given.abort();
      await sent.catch(() => {});
      throw new OciError('ERR_OCI_UNAVAILABLE', `${upload.host}: it takes nothing for ${silenceMs / 1000} s`);
    }
  } catch (error) {
    throw sending.failure ?? error;
  }
}

/** The registry answers by its digest, if it says anything; a tag never stands for what was not sent. */
export async function pushManifest(
  asker: Asker,
  place: Place,
  tag: string,
  { bytes, mediaType }: { readonly bytes: Uint8Array; readonly mediaType: string },
): Promise<void> {
  const answer = await asker.ask(`/v2/${place.repository}/manifests/${tag}`, scopeOf(place), {
    method: 'PUT',
    headers: { 'content-type': mediaType },
    body: () => bytes,
    signal: place.signal,
  });
  await answer.body?.cancel();
  const digest = answer.headers.get('docker-content-digest');
  if (digest !== null && digest.startsWith('sha256:') && digest !== digestOf(bytes))
    throw new OciError('ERR_OCI_DIGEST', `${hostOf(answer)}: it has taken another manifest for ${tag}`);
}

/** The bytes of a blob on their way, and why they ended early: fetch does not tell. */
class Sending {
  readonly #digest: Digest;
  readonly #size: number;
  readonly #content: () => AsyncIterable<Uint8Array>;
  /** Chunks that the registry took. */
  taken = 0;
  failure: unknown;

  constructor(digest: Digest, size: number, content: () => AsyncIterable<Uint8Array>) {
    this.#digest = digest;
    this.#size = size;
    this.#content = content;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    this.failure = undefined;
    const check = new DigestCheck(this.#digest, this.#size);
    let last: Uint8Array | undefined;
    try {
      for await (const chunk of this.#content()) {
        check.update(chunk);
        if (last !== undefined) yield last;
        last = chunk;
        this.taken += 1;
      }
      check.end(); // before the last chunk, so that nobody has all of another blob
    } catch (error) {
      this.failure = error;
      throw error;
    }
    if (last !== undefined) yield last;
  }
}

async function endOf(answer: Response): Promise<true> {
  await answer.body?.cancel();
  if (answer.status === 201) return true;
  throw new OciError('ERR_OCI_ANSWER', `${hostOf(answer)}: ${answer.status} for a blob`);
}

function hostOf(answer: Response): string {
  return URL.parse(answer.url)?.host ?? 'the registry';
}
