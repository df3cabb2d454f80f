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

/** Lists of chats and workspaces show the beginning of the first message of each chat. */
const showPreviews: Wrap = (fetch) => {
  const chats: { workspace: string; t: string; preview: string }[] = [];
  return async (address, init) => {
    const response = await fetch(address, init);
    const [method, path] = [readMethod(init), readPath(address)];
    const { searchParams } = new URL(String(address));
    const workspace = new Headers(init?.headers).get('workspace-id') ?? '';
    const text = /Open https:[^\r\n"]*/.exec(String(init?.body))?.[0];
    if (!response.ok) return response;
    const body = (await response.clone().json()) as { r?: { t?: number } };
    if (text !== undefined && !searchParams.has('t') && /\/(task\/zero|chat\/message)$/.test(path))
      chats.push({ workspace, t: String(body.r?.t), preview: [...text].slice(0, 60).join('') });
    const isOne = (each: (typeof chats)[number]) =>
      each.workspace === workspace && each.t === searchParams.get('t');
    if (method === 'DELETE' && path.endsWith('/chat/id')) chats.splice(chats.findIndex(isOne), 1);
    if (method !== 'GET' || !/\/(workspace|chat)$/.test(path)) return response;
    const previews = chats.filter((each) => each.workspace === workspace).map(({ preview }) => preview);
    return Response.json({ ...body, previews });
  };
};

it.each<[string, Wrap]>([
  ['shows the beginning of the first message of a chat elsewhere', showPreviews],
  ['gives a file or workspace again that was made before', makeOnce],
  ['confirms the removal of what is not there', confirmRemovals],
])('finds nothing wrong with a service that %s', async (_, wrap) => {
  const { checks } = await searchMock(25, wrap);
  expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([]);
});
