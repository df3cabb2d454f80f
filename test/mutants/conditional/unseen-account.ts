import type { OperationId } from '../../../spec/generated/operations.js';
import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, type MutantResponse } from '../operators/mutant-response.js';
import type { RequestHistory } from '../operators/request-history.js';

/** Faults of balances and plans that the cases of the suite once lacked: what a deletion, a purchase or an upgrade leads to. */
export const unseenAccountMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'cost-of-deleted-task-back',
    'SERVICE-05',
    'after a deletion',
    'The deletion of the data of a task gives its cost back.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const deleted = past.listSucceeded(request, 'deleteTaskData').map((each) => each.request.task);
        const polls = past.listSucceeded(request, 'getTask');
        for (const task of new Set(deleted)) {
          const last = polls.findLast((each) => each.request.task === task)?.response.record;
          if (typeof record.credits === 'number') record.credits += Number(last?.credits_used ?? 0);
        }
      },
    },
  ),
  conditionalMutant(
    'key-in-first-cookie-alone',
    'AUTH-03',
    'order',
    'The key is not found in a cookie that is not the first one.',
    {
      of: ['getUsage', 'getOrganisation'],
      when: ({ headers: { cookie = '' } }) => cookie.indexOf('apikey=') > 0,
      request: () => createRefusal(401),
    },
  ),
  conditionalMutant(
    'exhausted-after-top-up',
    'ERROR-06',
    'order',
    'An organisation without credits is refused also after it has bought some.',
    { of: 'createTask', request: (request, past) => repeatRefusal(request, past, 429, 'topUp') },
  ),
  conditionalMutant(
    'premium-after-upgrade',
    'ERROR-04',
    'order',
    'A feature that was refused to a plan is refused also after another plan was chosen.',
    {
      of: ['createProfile', 'openBrowserSession', 'uploadExtension'],
      request: (request, past) => repeatRefusal(request, past, 403, 'setPlan'),
    },
  ),
];

/** What the operation was refused with before the change that makes it possible. */
function repeatRefusal(
  request: MutantRequest,
  past: RequestHistory,
  status: number,
  change: OperationId,
): MutantResponse | undefined {
  const refused = past.listSent(request, request.operation!).find((each) => each.response.status === status);
  return past.listSucceeded(request, change).length > 0 ? refused?.response.copy() : undefined;
}
