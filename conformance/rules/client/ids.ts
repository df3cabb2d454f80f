import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

/** What a program writes where it has no value: nothing that a service gives as an id. */
const NO_VALUE = new Set(['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]']);

const REMEDY = 'Read ids from inside the envelope: the "id" of the object in "r".';

/** Ids that were never read. Sections "Response envelope" and "Task creation request". */
export const idRules = defineRules({ side: 'client', scope: 'stream' }, [
  {
    id: 'ids/uploaded-file',
    requirements: ['FILE-03', 'ENV-01'],
    level: 'must',
    title: 'A task lists the ids that uploads gave.',
    only: ['createTask'],
    check: (exchange) => {
      const files = field(exchange.requestJson, 'files');
      if (!Array.isArray(files)) return undefined;
      const wrong = files.find((id) => id === null || isNoValue(id));
      if (wrong === undefined) return undefined;
      const message = `A task lists the file ${show(wrong)}, which is no id that an upload gave. ${REMEDY}`;
      return { message };
    },
  },
  {
    id: 'ids/no-value',
    requirements: ['TASK-01', 'ENV-01'],
    level: 'advice',
    title: 'An id in a path, a query or a body is one that was read, not the word for a missing value.',
    check: (exchange) => {
      const wrong = noValueIn(exchange);
      if (wrong === undefined) return undefined;
      const [name, id] = wrong;
      const { operation } = exchange;
      const message = `${operation?.method} ${operation?.path} has ${show(id)} for ${name}: no id, but what stands for a missing value. ${REMEDY}`;
      return { message, about: `${operation?.id} ${name}` };
    },
  },
]);

const IN_BODIES = ['id', 'profile_id', 'session_id'];

/** The first id that is none, with its name. */
function noValueIn(exchange: ReadExchange): [name: string, id: unknown] | undefined {
  if (exchange.operation === undefined) return undefined;
  for (const named of exchange.path) if (isNoId(named)) return named;
  for (const named of exchange.parameters) if (isNoId(named)) return [...named];
  const body = exchange.requestJson;
  for (const name of IN_BODIES) {
    const id = field(body, name);
    if (isNoValue(id)) return [name, id];
  }
  return undefined;
}

function isNoId([name, value]: readonly [name: string, value: string]): boolean {
  return isNoValue(value) && (name === 'id' || name.endsWith('_id'));
}

function isNoValue(id: unknown): boolean {
  return typeof id === 'string' && NO_VALUE.has(id);
}

function _requestValue({ requestBody }: ReadExchange): unknown {
  return requestBody.state === 'json' ? requestBody.value : undefined;
}
