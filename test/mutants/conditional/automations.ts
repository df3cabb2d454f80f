import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isOver } from '../operators/events.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

/** SOPs, automations, their runs, and apps. */
export const conditionalAutomationMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'newest-sop-changed',
    'SOP-02',
    'several things',
    'With several SOPs there, a change is made to the newest.',
    {
      of: 'saveSop',
      request: (request, past) => {
        const t = Number(request.query.get('t') ?? 0);
        const sops = listSops(past.listInWorkspace(request, 'saveSop', 'listSops').at(-1)?.response.record);
        const newest = Math.max(0, ...sops.map((sop) => Number(sop.t)));
        if (t !== 0 && sops.some((sop) => sop.t === t)) request.query.set('t', String(newest));
      },
    },
  ),
  conditionalMutant(
    'empty-sop-keeps-content',
    'SOP-02',
    'value',
    'A SOP whose content becomes empty keeps its content.',
    {
      of: 'saveSop',
      when: ({ json, query }) => json.content === '' && Number(query.get('t') ?? 0) !== 0,
      request: (request, past) => {
        const sops = past
          .listInWorkspace(request, 'saveSop', 'listSops')
          .flatMap(({ response }) => listSops(response.record));
        const own = sops.findLast(({ t }) => t === Number(request.query.get('t')));
        if (own) request.json = { ...request.json, content: own.content };
      },
    },
  ),
  conditionalMutant(
    'oldest-sop-deleted',
    'SOP-03',
    'several things',
    'With several SOPs there, the oldest is deleted.',
    {
      of: 'deleteSop',
      request: async (request, _, forward) => {
        const list = request.derive('GET', '/sop');
        list.headers['workspace-id'] = request.headers['workspace-id'] ?? '';
        const times = listSops((await forward(list)).record).map(({ t }) => Number(t));
        if (times.includes(Number(request.query.get('t'))))
          request.query.set('t', String(Math.min(...times)));
      },
    },
  ),
  conditionalMutant(
    'deleted-sop-returns',
    'SOP-03',
    'after a deletion',
    'Deleted SOPs are listed again once another SOP is saved.',
    {
      of: 'listSops',
      response: ({ record }, request, past) => {
        const deletions = past.listInWorkspace(request, 'deleteSop');
        const saves = past.listInWorkspace(request, 'saveSop');
        const before = deletions.filter(({ at }) => saves.some((save) => save.at >= at && save !== saves[0]));
        const isAfter =
          past.listInWorkspace(request, 'deleteSop', 'saveSop').at(-1)?.request.is('saveSop') === true;
        const gone = before.map((each) => Number(each.request.query.get('t')));
        const known = saves.flatMap(({ response }) => listSops(response.record));
        const back = gone.flatMap((t) => known.findLast((sop) => sop.t === t) ?? []);
        if (isAfter && Array.isArray(record.sops)) record.sops = [...record.sops, ...back];
      },
    },
  ),
  conditionalMutant('no-sops-404', 'SOP-01', 'value', 'The list of SOPs gets 404 where there are none.', {
    of: 'listSops',
    response: ({ record }) =>
      listSops(record).length === 0 ? createRefusal(404, 'There are no SOPs.') : undefined,
  }),
  conditionalMutant(
    'no-automations-null',
    'AUTO-01',
    'value',
    'The list of automations is null where there are none.',
    {
      of: 'listAutomations',
      response: (response) => {
        if (response.list.length === 0) response.r = null;
      },
    },
  ),
  conditionalMutant(
    'all-automations-deleted',
    'AUTO-03',
    'several things',
    'The deletion of an automation deletes all of its workspace.',
    () => {
      const gone = new Set<unknown>();
      return {
        of: ['deleteAutomation', 'listAutomations'],
        response: (response, request, past) => {
          if (request.is('listAutomations')) response.r = response.list.filter(({ id }) => !gone.has(id));
          else
            for (const each of past.listInWorkspace(request, 'createAutomation'))
              gone.add(each.response.record.id);
        },
      };
    },
  ),
  conditionalMutant('second-webhook-404', 'AUTO-04', 'n-th request', 'An automation can be set off once.', {
    of: 'triggerWebhook',
    when: ({ json }, past) =>
      past
        .listSucceededByAll('triggerWebhook')
        .some(({ request }) => request.json.automation_id === json.automation_id),
    request: () => createRefusal(404, 'There is no such automation.'),
  }),
  conditionalMutant(
    'webhooks-at-once-one-run',
    'AUTO-04',
    'requests at once',
    'Two webhooks at once for an automation set it off once.',
    {
      of: 'triggerWebhook',
      when: ({ json }, past) =>
        [...past.pending].some(
          (other) => other.is('triggerWebhook') && other.json.automation_id === json.automation_id,
        ),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'webhook-of-deleted-accepted',
    'AUTO-03',
    'after a deletion',
    'The webhook of a deleted automation is accepted.',
    {
      of: 'triggerWebhook',
      when: ({ json }, past) =>
        past
          .listSucceededByAll('deleteAutomation')
          .some(({ request }) => request.query.get('id') === json.automation_id),
      error: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant('webhook-with-key-401', 'AUTO-04', 'another key', 'A webhook with a key is refused.', {
    of: 'triggerWebhook',
    when: ({ key }) => key !== undefined,
    request: () => createRefusal(401, 'This takes no key.'),
  }),
  conditionalMutant(
    'automation-of-same-name-replaced',
    'AUTO-01',
    'several things',
    'The list has the newest alone of several automations of one name.',
    {
      of: 'listAutomations',
      response: (response) => {
        const { list } = response;
        response.r = list.filter(({ name }, at) => !list.slice(at + 1).some((later) => later.name === name));
      },
    },
  ),
  conditionalMutant(
    'job-found-by-longer-id',
    'ERROR-03',
    'similar id',
    'A job is found under an id that begins with its own.',
    {
      of: 'getJob',
      error: (_, request, past, forward) => {
        const wanted = request.path.get('job_id') ?? '';
        const ids = past.listSucceededByAll('getJob').map((each) => each.request.path.get('job_id')!);
        const id = ids.find((each) => each !== wanted && wanted.startsWith(each));
        return id === undefined
          ? undefined
          : forward(request.derive('GET', `/job/${encodeURIComponent(id)}`));
      },
    },
  ),
  conditionalMutant(
    'ended-job-needs-key',
    'AUTH-04',
    'later',
    'The job of a run that is over is refused without a key.',
    {
      of: 'getJob',
      when: ({ key }) => key === undefined,
      response: ({ record }) => (isOver(record) ? createRefusal(401, 'Send a key.') : undefined),
    },
  ),
  conditionalMutant(
    'app-in-second-workspace-500',
    'APP-02',
    'several things',
    'An app that one workspace is connected to gets 500 in another.',
    {
      of: 'connectApp',
      when: (request, past) =>
        past
          .listSucceeded(request, 'connectApp')
          .some(
            (each) =>
              each.request.path.get('app_name') === request.path.get('app_name') &&
              each.request.headers['workspace-id'] !== request.headers['workspace-id'],
          ),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'apps-asked-again-304',
    'APP-01',
    'n-th request',
    'The apps asked for within a minute again get 304.',
    {
      of: 'listApps',
      when: (request, past) =>
        past.listSucceeded(request, 'listApps').some(({ at }) => past.now() - at < 60_000),
      response: () => new MutantResponse(304, undefined),
    },
  ),
];

function listSops(record: LooseRecord | undefined): LooseRecord[] {
  return Array.isArray(record?.sops) ? record.sops.filter(isRecord) : [];
}
