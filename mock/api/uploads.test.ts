import { describe, expect, it } from 'vitest';
import { createApi, createForm, EMPTY_ZIP } from '../../test/support/mock/api.js';

const text = (content: string) => new File([content], 'notes.txt', { type: 'text/plain' });

describe('files', () => {
  it('are uploaded, used by a task, and removed by deletion', async () => {
    const api = createApi();
    const uploaded = await api.send('POST', '/file', {
      form: createForm({ file: text('hi'), file_purpose: 'test' }),
    });
    const { id } = uploaded.r;
    expect(api.openOrganisation().records.files.get(id)).toMatchObject({
      name: 'notes.txt',
      size: 2,
      purpose: 'test',
    });
    const task = () => api.send('POST', '/task', { json: { task: 'x', files: [id] } });
    expect((await task()).status).toBe(200);
    expect((await api.send('DELETE', `/file/${id}`, { key: 'other' })).status).toBe(404);
    expect((await api.send('DELETE', `/file/${id}`)).body).toEqual({ r: true });
    expect((await api.send('DELETE', `/file/${id}`)).status).toBe(404);
    expect((await task()).status).toBe(404);
  });

  it('expire according to the dialect', async () => {
    for (const [retention, status] of [
      [5000, 404],
      [0, 200],
    ] as const) {
      const api = createApi({ dialect: { 'file.retention': retention } });
      const { id } = (await api.send('POST', '/file', { form: createForm({ file: text('hi') }) })).r;
      api.advance(4999);
      expect(api.openOrganisation().records.files.size).toBe(1);
      api.advance(1);
      expect((await api.send('DELETE', `/file/${id}`)).status).toBe(status);
    }
  });

  it('do not count against the limit once they have expired', async () => {
    const api = createApi({ dialect: { 'file.retention': 5000 }, limits: { records: 1 } });
    const upload = () => api.send('POST', '/file', { form: createForm({ file: text('hi') }) });
    expect([(await upload()).status, (await upload()).status]).toEqual([200, 400]);
    api.advance(5000);
    expect((await upload()).status).toBe(200);
  });

  it('are bounded in size', async () => {
    const api = createApi({ dialect: { 'limits.upload-size': 1024 } });
    const upload = (path: string, size: number) =>
      api.send('POST', path, { form: createForm({ file: new Uint8Array(size) }) });
    expect((await upload('/file', 1024)).status).toBe(200);
    expect((await upload('/file', 1025)).status).toBe(413);
    expect((await upload('/extension', 1025)).status).toBe(413);
    expect(api.openOrganisation().records.files.size).toBe(1);
  });

  it('require the form part', async () => {
    const { status, body } = await createApi().send('POST', '/file', {
      form: createForm({ upload: text('hi') }),
    });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'file']);
  });
});

describe('extensions', () => {
  const zip = (name = 'blocker.zip') => createForm({ file: new File([EMPTY_ZIP], name) });

  it('are uploaded, listed and deleted on either path', async () => {
    const api = createApi();
    const first = (await api.send('POST', '/extension', { form: zip('one.zip') })).r;
    const second = (await api.send('POST', '/browser/extension', { form: zip('two.zip') })).r;
    expect(first).toMatchObject({ file_name: 'one.zip', creation_time: 1_767_225_600 });
    expect((await api.send('GET', '/extension')).r).toEqual([first, second]);
    expect((await api.send('GET', '/browser/extension')).r).toEqual({ extensions: [first, second] });
    expect((await api.send('GET', '/extension', { key: 'other' })).r).toEqual([]);
    expect((await api.send('DELETE', `/browser/extension/${first.id}`)).body).toEqual({ r: true });
    expect((await api.send('DELETE', `/extension/${first.id}`)).status).toBe(404);
    expect((await api.send('DELETE', `/extension/${second.id}`)).body).toEqual({ r: true });
    expect((await api.send('DELETE', `/browser/extension/${second.id}`)).status).toBe(404);
    expect((await api.send('GET', '/extension')).r).toEqual([]);
  });

  it.each([
    ['text', text('PK')],
    ['nothing', new File([], 'empty.zip')],
    ['another archive', new File([Uint8Array.of(0x50, 0x4b, 7, 8)], 'x.zip')],
  ])('refuse %s: only a ZIP is accepted', async (_, file) => {
    const api = createApi();
    for (const path of ['/extension', '/browser/extension']) {
      expect((await api.send('POST', path, { form: createForm({ file }) })).status).toBe(400);
    }
    expect((await api.send('GET', '/extension')).r).toEqual([]);
  });

  it('accept an archive with files', async () => {
    const file = new File([Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0)], 'x.zip');
    expect((await createApi().send('POST', '/extension', { form: createForm({ file }) })).status).toBe(200);
  });
});
