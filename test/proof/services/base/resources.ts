import { type App, boolParam, createInvalidError, createMissingError, HttpError, intParam } from './app.js';

/** What a service has beside tasks: profiles, files, extensions, proxies, the organisation, its credits. */
export function addResources(app: App): App {
  const profiles = new Map<string, Set<string>>();
  const files = new Set<string>();
  const extensions: { org: string; id: string; file_name: string; creation_time: number }[] = [];
  let made = 0;
  const openProfiles = (org: string) => profiles.get(org) ?? profiles.set(org, new Set()).get(org)!;

  return app
    .on('POST /profile', ({ org, body }) => {
      const { id = `profile-${++made}` } = body;
      if (id !== null && typeof id !== 'string') throw createInvalidError('body', 'id', 'expected a string');
      const name = id ?? `profile-${++made}`;
      if (openProfiles(org).has(name)) throw new HttpError(409, 'Profile exists');
      openProfiles(org).add(name);
      return { id: name };
    })
    .on('GET /profile', ({ org }) => [...openProfiles(org)].map((id) => ({ id })))
    .on('DELETE /profile/:id', ({ org, params }) => {
      if (!openProfiles(org).delete(params.id!)) throw createMissingError('Profile');
      return true;
    })
    .on('POST /file', ({ org, form }) => {
      if (!(form?.get('file') instanceof File)) throw createInvalidError('body', 'file', 'expected a file');
      const id = `file-${++made}`;
      files.add(`${org}/${id}`);
      return { id };
    })
    .on('DELETE /file/:id', ({ org, params }) => {
      if (!files.delete(`${org}/${params.id}`)) throw createMissingError('File');
      return true;
    })
    .on('POST /extension', ({ org, form }) => {
      const file = [...(form?.values() ?? [])].find((value) => value instanceof File);
      if (!file) throw createInvalidError('body', 'file', 'expected a file');
      const { name } = file as File;
      const extension = { id: `extension-${++made}`, file_name: name, creation_time: made };
      extensions.push({ org, ...extension });
      return extension;
    })
    .on('GET /extension', (call) =>
      extensions.filter(({ org }) => org === call.org).map(({ org: _, ...each }) => each),
    )
    .on('DELETE /extension/:id', ({ org, params }) => {
      const at = extensions.findIndex((each) => each.org === org && each.id === params.id);
      if (at < 0) throw createMissingError('Extension');
      extensions.splice(at, 1);
      return true;
    })
    .on('GET /proxy', () => [])
    .on('PATCH /proxy/:id', ({ query }) => {
      boolParam(query, 'auto_renew');
      throw createMissingError('Proxy');
    })
    .on('GET /org', ({ org }) => ({ id: org, name: org }))
    .on('GET /topup/auto', () => ({ active: false, amount: 0, threshold: 0 }))
    .on('GET /org/billing', () => 'https://billing.example/portal')
    .on('POST /topup', ({ query }) => {
      if (!query.has('amount')) throw createInvalidError('query', 'amount', 'required');
      intParam(query, 'amount', 0);
      return true;
    })
    .on('POST /telemetry', ({ body }) => {
      if (!Array.isArray(body.events)) throw createInvalidError('body', 'events', 'expected an array');
      return true;
    });
}

/** What these services do not have. */
export const LACKS = [
  'apps',
  'attachments',
  'automations',
  'browser',
  'chats',
  'jobs',
  'sops',
  'workspaces',
  'inviteUser',
  'updateOrganisation',
  'setPlan',
  'setAutoTopUp',
  'getUsage',
  'deleteBrowserExtension',
];
