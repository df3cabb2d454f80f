import { describe, expect, it } from 'vitest';
import { createWireRequest, startMock } from '../../test/support/mock/mock.js';
import { serveFile } from './serve-files.js';
import { renderEmbeddedPage, renderLinkedPage } from './studio-page.js';

const EVIL = '</script><script>alert(1)</script><!--\u2028';

describe('the pages', () => {
  it.each([
    ['linked', renderLinkedPage(EVIL, { title: EVIL })],
    [
      'embedded',
      renderEmbeddedPage(EVIL, { title: EVIL }, { script: '1', style: '' }, { script: 'a', style: 'b' }),
    ],
  ])('%s: external data stays data', (_, page) => {
    expect(page).not.toContain('alert(1)</script>');
    expect(page.match(/<script/g)).toHaveLength(2);
    const data = /id="page-data">(.*)<\/script>/.exec(page)![1]!;
    expect(JSON.parse(data)).toEqual({ title: EVIL });
  });
});

describe('the server of studio', () => {
  const target = {
    kind: 'live',
    target: 'mock',
    baseUrl: 'http://127.0.0.1:4010',
    needsToken: false,
  } as const;
  const get = (path: string, headers: Record<string, string> = {}) =>
    serveFile(createWireRequest('GET', path, undefined, headers), target);

  it('serves the page at / and /__studio to browsers, and / unchanged to other clients', async () => {
    const page = await get('/', { accept: 'text/html,*/*' });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('"target":"mock"') });
    expect(page!.headers['content-security-policy']).toContain("script-src 'self'");
    expect(await get('/__studio')).toMatchObject({ status: 200 });
    expect(get('/', { accept: '*/*' })).toBeUndefined();
    const request = createWireRequest('GET', '/', undefined, { accept: 'text/html' });
    expect(serveFile(request, { ...target, target: 'proxy' })).toBeUndefined();
    expect(get('/live/x', { accept: 'text/html' })).toBeUndefined();
    expect(get('/__studious')).toBeUndefined();
    expect(await get('/__studio/other.js')).toMatchObject({ status: 404 });
    expect(await serveFile(createWireRequest('POST', '/__studio', '{}'), target)).toMatchObject({
      status: 405,
    });
  });

  it('is the mock', async () => {
    const { control } = await startMock();
    const response = await control.fetch('http://mock/', { headers: { accept: 'text/html' } });
    expect(await response.text()).toContain('<div id="studio">');
  });
});
