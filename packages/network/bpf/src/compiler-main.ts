/** The program of {@link CompilerProcess}: answers one request after the other until its parent is gone. */
import { compileOnce, type Request } from './compiler.ts';
import type { Reply } from './compiler-process.ts';

async function reply(request: Request): Promise<Reply> {
  const answer = await compileOnce(request);
  return 'error' in answer ? answer : { instructions: Buffer.from(answer.instructions).toString('base64') };
}

process.on('message', (request: Request) => {
  void reply(request).then((message) => process.send?.(message));
});
process.on('disconnect', () => process.exit());
