import { show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Creation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type RuleContext, type Watcher } from '../rule.js';
import { misfit } from './schema.js';

/** What comes out of a task that is done. Section "Task". */
export const outputRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'outputs/kind',
    requirements: ['TASK-05'],
    title: 'The output of a task is text, structured data or null.',
    start: (context) =>
      eachOutput(context, (output, { request }, { seq }) => {
        if (typeof output !== 'number' && typeof output !== 'boolean') return 'kept';
        // A response_model may ask for it.
        if (isAsked(request.response_model)) return undefined;
        const message = `The output of a task is ${show(output)}: it has to be text, structured data or null.`;
        return { message, evidence: [seq] };
      }),
  },
  {
    id: 'outputs/model',
    requirements: ['TASK-04'],
    title: 'The output satisfies the `response_model`.',
    start: (context) =>
      eachOutput(context, (output, { request, isOneShot, seq: created }, { seq }) => {
        if (!isOneShot || !isAsked(request.response_model)) return undefined;
        const wrong = misfit(request.response_model, output);
        if (wrong === undefined) return 'kept';
        if (wrong === 'unknown') return undefined;
        const message = `The output ${show(output)} of a task that is done does not fit its "response_model": ${wrong}.`;
        return { message, evidence: [created, seq] };
      }),
  },
]);

type Look = (output: unknown, creation: Creation, exchange: ReadExchange) => Complaint | 'kept' | undefined;

/** Shows the output of a task that is done to `look`, each time it is read. */
function eachOutput({ task, kept }: RuleContext, look: Look): Watcher {
  return {
    see(exchange) {
      const { record, status } = exchange;
      if (!exchange.is('getTask') || status !== 'done' || !task.creation) return undefined;
      const shown = look(record?.output ?? null, task.creation, exchange);
      if (shown === 'kept') kept(exchange.seq);
      return typeof shown === 'object' ? [shown] : [];
    },
  };
}

function isAsked(model: unknown): boolean {
  return model !== undefined && model !== null;
}
