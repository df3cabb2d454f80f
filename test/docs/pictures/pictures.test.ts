import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

interface PngChunk {
  type: string;
  data: Buffer;
}

function readChunks(name: string): PngChunk[] {
  const png = readFileSync(join(ROOT, 'docs/pictures', name));
  const chunks: PngChunk[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

describe.each(['lost-reply.png', 'lost-reply-dark.png'])('the animation %s', (name) => {
  const chunks = readChunks(name);
  const frames = chunks.filter(({ type }) => type === 'fcTL');

  it('repeats without end, for 8 to 10 seconds each time', () => {
    const control = chunks.find(({ type }) => type === 'acTL')!.data;
    expect([control.readUInt32BE(0), control.readUInt32BE(4)]).toEqual([frames.length, 0]);
    const duration = frames.reduce((sum, { data }) => sum + data.readUInt16BE(20) / data.readUInt16BE(22), 0);
    expect(duration).toBeGreaterThanOrEqual(8);
    expect(duration).toBeLessThanOrEqual(10);
  });

  it('has less than 1.5 MB', () => {
    const size = chunks.reduce((sum, { data }) => sum + data.length, 0);
    expect(size).toBeLessThan(1_500_000);
  });
});

describe('the README', () => {
  const [picture = ''] = /<picture>.*<\/picture>/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  const sources = [...picture.matchAll(/<source media="(.*)" srcset="docs\/pictures\/(.*)">/g)];

  it('shows the animation, and a still picture where motion is unwanted', () => {
    expect(picture).toContain('src="docs/pictures/lost-reply.png"');
    const isAnimated = (name: string) => readChunks(name).some(({ type }) => type === 'acTL');
    const still = sources.filter(([, media]) => media!.includes('prefers-reduced-motion: reduce'));
    expect(still.length).toBe(2);
    expect(still.map(([, , name]) => isAnimated(name!))).toEqual([false, false]);
    // A browser takes the first that fits.
    expect(sources.slice(0, 2)).toEqual(still);
  });

  it('has both in dark', () => {
    const dark = sources.filter(([, media]) => media!.includes('prefers-color-scheme: dark'));
    expect(dark.map(([, , name]) => name)).toEqual(['lost-reply-still-dark.png', 'lost-reply-dark.png']);
  });
});
