import type { ConditionalMutant } from '../mutant.js';
import { type ConditionalFault, conditionalMutant } from '../operators/conditional.js';
import { isCall, type LooseEvent, listEvents } from '../operators/events.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

const HOUR_MS = 3_600_000;

/** Faults of pages, queues, replies, shared profiles and balances that the cases of the suite once lacked. */
export const unseenSessionMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'goto-without-query',
    'SESSION-06',
    'value',
    'A goto opens the address without its query.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => payload.name === 'goto' && String(readUrl(payload)).includes('?'),
      request: (request) => {
        const url = String(readUrl(request.payload)).replace(/\?[^#]*/, '');
        request.json = { ...request.json, payload: { ...request.payload, input: { url } } };
      },
    },
  ),
  conditionalMutant('start-page-ignored', 'TASK-11', 'value', 'A session starts at no page.', {
    of: 'createTask',
    when: ({ json }) => json.task === null,
    request: (request) => {
      const { url: _, ...others } = request.json;
      request.json = others;
    },
  }),
  conditionalMutant(
    'page-lost-after-a-script',
    'SESSION-08',
    'order',
    'The page is blank after a script.',
    changeAddresses((request, past) => {
      const { actions } = past.readTask(request);
      const last = actions.findLastIndex((each) => each.request.payload.name === 'goto');
      const isLost = actions.slice(last + 1).some((each) => each.request.payload.name === 'evaluate_js');
      return isLost ? 'about:blank' : undefined;
    }),
  ),
  conditionalMutant(
    'args-of-the-script-before',
    'SESSION-08',
    'order',
    'A script without args gets those of the script before.',
    {
      of: 'sendTaskEvent',
      when: ({ payload }) => payload.name === 'evaluate_js' && !('args' in readInput(payload)),
      request: (request, past) => {
        const before = past
          .readTask(request)
          .actions.findLast((each) => 'args' in readInput(each.request.payload));
        if (!before) return;
        const input = { ...readInput(request.payload), args: readInput(before.request.payload).args };
        request.json = { ...request.json, payload: { ...request.payload, input } };
      },
    },
  ),
  conditionalMutant(
    'page-of-any-session',
    'SESSION-06',
    'several things',
    'The sessions of a key have one page: that of the last goto.',
    changeAddresses((request, past) => {
      const all = past
        .listSucceeded(request, 'sendTaskEvent')
        .filter(({ request: { payload } }) => readUrl(payload));
      return all.length > 0 ? String(readUrl(all.at(-1)!.request.payload)) : undefined;
    }),
  ),
  conditionalMutant(
    'action-of-other-time-lost',
    'EVENT-08',
    'value',
    'An action with a time between an hour and two days from now is confirmed and not carried out.',
    {
      of: 'sendTaskEvent',
      when: ({ json }, past) => {
        const offMs = Math.abs(Number(json.timestamp) - past.now());
        return json.name !== 'tool_call' && offMs > HOUR_MS && offMs < 48 * HOUR_MS;
      },
      request: confirm,
    },
  ),
  conditionalMutant(
    'queue-lost-after-failure',
    'EVENT-08',
    'order',
    'An action that waits for one that fails is not carried out.',
    {
      of: 'sendTaskEvent',
      when: (request, past) =>
        request.payload.name === 'evaluate_js' &&
        past.readTask(request).openActions.some((each) => /throw/.test(readScript(each.request))),
      request: confirm,
    },
  ),
  conditionalMutant(
    'thrown-value-succeeds',
    'EVENT-12',
    'value',
    'A script that throws something else than an error succeeds with that.',
    {
      of: 'getTask',
      response: (response, request, past) => {
        const { actions } = past.readTask(request);
        for (const { id, payload } of listEvents(response)) {
          const action = actions.find((each) => each.request.json.id === id);
          const isMet = action && /throw (?!new )/.test(readScript(action.request));
          if (isMet && payload.code === 500) payload.code = 200;
        }
      },
    },
  ),
  conditionalMutant(
    'sessions-of-profile-stopped',
    'TASK-17',
    'several things',
    'DELETE stops all tasks with the profile of the task.',
    {
      of: 'deleteTask',
      response: async (_, request, past, forward) => {
        const { profile_id } = past.readTask(request).asked;
        for (const other of past.listRunning(request))
          if (profile_id != null && other.request.json.profile_id === profile_id)
            await forward(request.derive('DELETE', `/task/${other.response.record.id}`));
      },
    },
  ),
  conditionalMutant(
    'read-call-is-closed',
    'TOOL-09',
    'order',
    'A poll from the time of a call on closes the call: its reply is confirmed and lost.',
    {
      of: 'sendTaskEvent',
      when: (request, past) => {
        const { events, polls } = past.readTask(request);
        const call = events.find((event) => isCall(event) && event.id === request.json.id);
        return call !== undefined && polls.some((each) => each.request.since >= call.timestamp);
      },
      request: confirm,
    },
  ),
  conditionalMutant(
    'call-repeated-after-error',
    'TOOL-05',
    'n-th request',
    'The agent makes a call of a tool with an unusual name again until it is replied to without an error.',
    repeatCalls,
  ),
  conditionalMutant(
    'reads-cost-credits',
    'SERVICE-05',
    'later',
    'A poll of a task that is over costs a credit.',
    () => {
      let cost = 0;
      return {
        of: ['getTask', 'getUsage'],
        response: (response, request) => {
          if (request.is('getUsage')) lowerBalance(response.record, cost);
          else if (response.record.status === 'done') cost++;
        },
      };
    },
  ),
  conditionalMutant(
    'costs-of-two-tasks-lost',
    'SERVICE-05',
    'several things',
    'Of tasks that run at the same time, only one is taken from the balance.',
    () => {
      const overlapping = new Set<string>();
      const lost = new Map<string, number>();
      return {
        of: ['createTask', 'getTask', 'getUsage'],
        response: (response, request, past) => {
          const { record } = response;
          if (request.is('createTask')) {
            if (past.listRunning(request).length > 0) overlapping.add(String(record.id));
          } else if (request.is('getUsage'))
            lowerBalance(record, -[...lost.values()].reduce((sum, each) => sum + each, 0));
          else if (overlapping.has(request.task)) lost.set(request.task, Number(record.credits_used ?? 0));
        },
      };
    },
  ),
];

function readUrl({ name, input }: LooseRecord): unknown {
  return name === 'goto' && isRecord(input) ? input.url : undefined;
}

function readInput({ input }: LooseRecord): LooseRecord {
  return isRecord(input) ? input : {};
}

function readScript({ payload: { input } }: MutantRequest): string {
  return isRecord(input) ? String(input.js) : '';
}

/** Confirms an event that the service does not get. */
function confirm({ json: { id } }: MutantRequest): MutantResponse {
  return new MutantResponse(200, { r: { id } });
}

/** Scripts that read the address get this one, if there is one. */
function changeAddresses(
  choose: (request: MutantRequest, past: RequestHistory) => string | undefined,
): ConditionalFault {
  return {
    of: 'sendTaskEvent',
    when: (request) => readScript(request).includes('location.href'),
    request: (request, past) => {
      const address = choose(request, past);
      const js = `return ${JSON.stringify(address)}`;
      if (address !== undefined)
        request.json = { ...request.json, payload: { ...request.payload, input: { js } } };
    },
  };
}

function lowerBalance(record: LooseRecord, by: number): void {
  for (const [name, value] of Object.entries(record))
    if (/credit/i.test(name) && typeof value === 'number') record[name] = value - by;
}

/** Keeps the errors in reply to calls from the service, and lists such a call again under another id. */
function repeatCalls(): ConditionalFault {
  const repeated = new Map<string, LooseEvent>();
  let latest = 0;
  return {
    of: ['sendTaskEvent', 'getTask'],
    request: (request, past) => {
      if (request.is('getTask') || request.json.name !== 'tool_call') return undefined;
      const id = String(request.json.id);
      const first = id.replace(/\++$/, '');
      const call = past.readTask(request).events.find((event) => isCall(event) && event.id === first);
      // No scenario has such a tool.
      const isUnusual = !/^[a-z_]+$/.test(String(call?.payload.name));
      if (call && isUnusual && request.payload.code !== 200) {
        latest = Math.max(past.now(), latest, call.timestamp) + 1;
        repeated.set(`${id}+`, { ...call, id: `${id}+`, timestamp: latest });
        return confirm(request);
      }
      if (repeated.has(id)) request.json = { ...request.json, id: first };
      return undefined;
    },
    response: (response, request, past) => {
      if (!request.is('getTask')) return;
      const known = new Set(past.readTask(request).events.map(({ id }) => id));
      const due = [...repeated.values()].filter(
        ({ id, timestamp }) => known.has(id.replace(/\++$/, '')) && timestamp > request.since,
      );
      response.record.events = [...listEvents(response), ...due];
    },
  };
}
