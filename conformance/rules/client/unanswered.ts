import { field, show } from '../../conversation/json.js';
import type { Books } from '../books.js';
import type { Complaint, Watcher } from '../rule.js';
import { Calls } from './calls.js';
import { Ending } from './ending.js';

/**
 * Calls that nobody answered by the time their task was over. Let pass: those that came with the end or after the
 * client itself stopped the task or closed the session, and all of a task whose beginning is not on record, since the
 * replies may not be either.
 */
export function unanswered(books: Books): Watcher {
  const calls = books.of(Calls);
  const ending = books.of(Ending);
  let stopped = false;
  return {
    see(exchange) {
      const isClose = field(exchange.sent?.payload, 'name') === 'close';
      if (isClose || exchange.is('deleteTask', 'deleteTaskData')) stopped = true;
      return [];
    },
    end() {
      if (stopped || ending.status === undefined || !calls.fromStart) return [];
      const complaints: Complaint[] = [];
      for (const [id, { tool, seq, withEnd, reply }] of calls.known) {
        if (reply || withEnd) continue;
        const message = `Call ${show(id)} of the tool ${show(tool)} never got a reply, and the task ended as "${ending.status}". Answer each call, one for an unknown tool or a tool that failed with code 400 or 500 and a message.`;
        complaints.push({ message, evidence: [seq, ending.seq], about: id });
      }
      return complaints;
    },
  };
}
