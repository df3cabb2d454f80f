import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';

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
];
