import { expect, it } from 'vitest';
import { searchMock } from '../../../test/mutants/search-mock.js';
import type { FetchFunction } from '../http-client/target.js';

type Wrap = (fetch: FetchFunction) => FetchFunction;

const readMethod = (init: RequestInit | undefined) => init?.method ?? 'GET';
const readPath = (address: unknown) => decodeURIComponent(new URL(String(address)).pathname);

/** The same upload or workspace of an organisation is made once, until it is removed. */
const makeOnce: Wrap = (fetch) => {
  const made = new Map<string, { id: string; response: Response }>();
  return async (address, init) => {
    const [method, path] = [readMethod(init), readPath(address)];
    const removed = path.split('/').at(-1);
    for (const [key, { id }] of made) if (method === 'DELETE' && id === removed) made.delete(key);
    const isMaking = method === 'POST' && /\/v1\/(file$|workspace\/[^/]+$)/.test(path);
    if (!isMaking) return fetch(address, init);
    const { apikey, cookie } = Object.fromEntries(new Headers(init?.headers));
    const key = [apikey, cookie, path, init?.body].join(' ');
    const known = made.get(key);
    if (known) return known.response.clone();
    const response = await fetch(address, init);
    const { r, id } = (await response.clone().json()) as { r?: { id: string }; id?: string };
    if (response.ok) made.set(key, { id: String(r?.id ?? id), response: response.clone() });
    return response;
  };
};

/** Removals of what is not there succeed. */
const confirmRemovals: Wrap = (fetch) => async (address, init) => {
  const response = await fetch(address, init);
  const isRemoval = /\/v1\/(file|profile|extension|browser\/\w+)\//.test(readPath(address));
  if (readMethod(init) !== 'DELETE' || !isRemoval || response.status !== 404) return response;
  return Response.json({ r: true });
};

/** A list of chats and a workspace show the beginning of the first message of each chat. */
const showPreviews: Wrap = (fetch) => {
  const previews = new Map<string, { workspace: string; preview: string }>();
  return async (address, init) => {
    const response = await fetch(address, init);
    if (!response.ok) return response;
    const [method, path] = [readMethod(init), readPath(address)];
    const workspace = new Headers(init?.headers).get('workspace-id') ?? '';
    const named = new URL(String(address)).searchParams.get('t');
    const body = (await response.clone().json()) as { t?: number; chats?: { t: number }[] };
    const text = /Open https:[^\r\n"]*/.exec(String(init?.body))?.[0];
    if (text !== undefined && named === null && body.t !== undefined)
      previews.set(`${workspace} ${body.t}`, { workspace, preview: [...text].slice(0, 60).join('') });
    if (method === 'DELETE' && path.endsWith('/chat/id')) previews.delete(`${workspace} ${named}`);
    if (method !== 'GET') return response;
    const addPreview = (chat: { t: number }) => ({ ...chat, ...previews.get(`${workspace} ${chat.t}`) });
    if (path.endsWith('/chat')) return Response.json({ ...body, chats: body.chats?.map(addPreview) });
    if (!path.endsWith('/workspace')) return response;
    const shown = [...previews.values()].filter((each) => each.workspace === workspace);
    return Response.json({ ...body, previews: shown });
  };
};

it.each<[string, Wrap]>([
  ['shows the beginning of the first message of a chat elsewhere', showPreviews],
  ['gives a file or workspace again that was made before', makeOnce],
  ['confirms the removal of what is not there', confirmRemovals],
])('finds nothing wrong with a service that %s', async (_, wrap) => {
  const { checks } = await searchMock(25, wrap);
  expect(
    checks.filter(({ outcome }) => outcome === 'failed').map(({ id, message }) => `${id}: ${message}`),
  ).toEqual([]);
});
