import { View } from '@nodecore/view';

import type { ReadSections } from '../../src/index.ts';

/** A file that stands for an image: its command line, kernel and archive, each at whole sectors, with this text in all of them. */
export function exampleImage(text: string, line = `console=ttyS0 test=${text}`): Buffer {
  return Buffer.concat([
    sector(`image ${line.length}`),
    sector(line),
    sector(`kernel ${text}`),
    sector(`archive ${text}`),
  ]);
}

/** Reads the sections of {@link exampleImage}. */
export const readExample: ReadSections = async (image) => {
  const head = (await image.slice(0, 16).bytes()).toString('latin1');
  const length = Number(/^image (?<length>\d+)/u.exec(head)?.groups?.['length']);
  return {
    sections: [
      { name: '.cmdline', offset: 512, size: 512, virtualSize: length },
      { name: '.linux', offset: 1024, size: 512, virtualSize: 300 },
      { name: '.initrd', offset: 1536, size: 512, virtualSize: 300 },
    ],
  };
};

export function exampleView(text: string, line?: string): View {
  return View.of(exampleImage(text, line));
}

function sector(content: string): Buffer {
  return Buffer.concat([Buffer.from(content), Buffer.alloc(512 - content.length)]);
}
