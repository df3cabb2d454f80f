import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Mutant } from '../mutant.js';
import { isOver } from '../operators/events.js';
import {
  changeLists,
  changePolls,
  changeRequests,
  changeResponses,
  changeTasks,
  mutant,
} from '../operators/make.js';
import { createRefusal, isRecord, type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

const isRunning = (status: unknown) => status === 'running' || status === 'waiting';

/** The record of a task: what it says of itself, when, and that it keeps to it. */
export const taskMutants: readonly Mutant[] = [
  mutant(
    'task-id-number',
    'TASK-01',
    'The id of a task in the list is a number.',
    changeLists('listTasks', (list) => list.map((task, i) => ({ ...task, id: i + 1 }))),
  ),
  mutant(
    'task-id-differs-in-poll',
    'TASK-01',
    'A poll names the task by another id than it was made under.',
    changePolls((task) => {
      task.id = `task_${task.id}`;
    }),
  ),
  mutant(
    'listed-id-unknown',
    'TASK-01',
    'The ids in the list of tasks are not those that the paths accept.',
    changeLists('listTasks', (list) =>
      list.map((task) => ({ ...task, id: `${String(task.id).slice(0, 8)}-row` })),
    ),
  ),
  mutant(
    'task-id-missing-in-poll',
    'TASK-01',
    'A poll leaves out the id of the task.',
    changePolls((task) => {
      delete task.id;
    }),
  ),
  mutant(
    'status-completed',
    'TASK-02',
    'A task that is done has the status completed.',
    changeTasks((task) => {
      if (task.status === 'done') task.status = 'completed';
    }),
  ),
  mutant(
    'status-in-capitals',
    'TASK-02',
    'A running task has the status RUNNING.',
    changeTasks((task) => {
      if (task.status === 'running') task.status = 'RUNNING';
    }),
  ),
  mutant(
    'status-canceled',
    'TASK-02',
    'A cancelled task has the status canceled.',
    changeTasks((task) => {
      if (task.status === 'cancelled') task.status = 'canceled';
    }),
  ),
  mutant(
    'status-in-list',
    'TASK-02',
    'The list of tasks says active in place of running.',
    changeLists('listTasks', (list) =>
      list.map((task) => (isRunning(task.status) ? { ...task, status: 'active' } : task)),
    ),
  ),
  mutant(
    'status-missing-in-list',
    'TASK-02',
    'The list of tasks leaves out the status.',
    changeLists('listTasks', (list) => list.map(({ status: _, ...task }) => task)),
  ),
  mutant(
    'output-while-running',
    'TASK-03',
    'A running task has an output already.',
    changePolls((task) => {
      if (isRunning(task.status)) task.output = 'Working on it…';
    }),
  ),
  mutant(
    'output-empty-while-running',
    'TASK-03',
    'The output of a running task is an empty text.',
    changePolls((task) => {
      if (isRunning(task.status)) task.output = '';
    }),
  ),
  mutant(
    'output-as-json-text',
    'TASK-04',
    'Structured output comes as a text that holds JSON.',
    changeModelOutput((output) => JSON.stringify(output)),
  ),
  mutant(
    'output-lacks-a-field',
    'TASK-04',
    'Structured output lacks its first field.',
    changeModelOutput((output) => {
      if (Array.isArray(output)) return output.map(omitFirst);
      return omitFirst(output);
    }),
  ),
  mutant(
    'output-wrapped',
    'TASK-04',
    'Structured output is wrapped in an object.',
    changeModelOutput((output) => ({
      result: output,
    })),
  ),
  mutant(
    'output-reference-not-followed',
    'TASK-04',
    'What a response_model says by reference is a text in the output.',
    changeModelOutput((output, model) =>
      JSON.parse(
        JSON.stringify(output, (_, value) =>
          isRecord(value) && JSON.stringify(model).includes('"$ref"') && value !== output ? 'text' : value,
        ),
      ),
    ),
  ),
  mutant(
    'output-null-though-modelled',
    'TASK-04',
    'A task with a response_model ends as done without output.',
    changeModelOutput(() => null),
  ),
  mutant(
    'output-a-number',
    'TASK-05',
    'The output of a task without a response_model is a number.',
    changePolls((task) => {
      if (task.status === 'done' && typeof task.output === 'string') task.output = task.output.length;
    }),
  ),
  mutant('output-grows', 'POLL-08', 'The output of a task goes on growing after its end.', () => {
    const times = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      const { output } = response.record;
      if (!request.is('getTask') || !isOver(response.record) || typeof output !== 'string') return response;
      const count = (times.get(request.task) ?? 0) + 1;
      times.set(request.task, count);
      response.record.output = output + ' And more.'.repeat(count - 1);
      return response;
    };
  }),
  mutant(
    'no-live-url',
    'TASK-06',
    'A running task has no live_url in the answers to polls.',
    changePolls((task) => {
      if (isRunning(task.status)) delete task.live_url;
    }),
  ),
  mutant(
    'live-url-renamed',
    'TASK-14',
    'The live address is called live_view_url.',
    changeTasks((task) => {
      task.live_view_url = task.live_url;
      delete task.live_url;
    }),
  ),
  mutant(
    'live-url-never',
    'TASK-06',
    'The live_url of a running task stays null.',
    changeTasks((task) => {
      task.live_url = null;
    }),
  ),
  mutant(
    'live-url-a-path',
    'TASK-06',
    'The live_url of a running task is no address.',
    changeTasks((task) => {
      if (typeof task.live_url === 'string') task.live_url = 'live view';
    }),
  ),
  mutant(
    'no-recording-url',
    'TASK-07',
    'A completed task has no field recording_url.',
    changePolls((task) => {
      if (isOver(task)) delete task.recording_url;
    }),
  ),
  mutant(
    'recording-url-renamed',
    'TASK-07',
    'The address of the recording is called recordingUrl.',
    changeTasks((task) => {
      task.recordingUrl = task.recording_url;
      delete task.recording_url;
    }),
  ),
  mutant(
    'recording-url-never',
    'TASK-07',
    'The recording_url of a completed task stays null.',
    changePolls((task) => {
      if (isOver(task)) task.recording_url = null;
    }),
  ),
  mutant(
    'recording-url-no-url',
    'TASK-07',
    'The recording_url of a completed task is no URL.',
    changePolls((task) => {
      if (isOver(task)) task.recording_url = 'not a url';
    }),
  ),
  mutant(
    'recording-url-boolean',
    'TASK-07',
    'The recording_url of a completed task is a boolean.',
    changePolls((task) => {
      if (isOver(task)) task.recording_url = true;
    }),
  ),
  mutant(
    'credits-fraction',
    'TASK-08',
    'A completed task reports credits with a fraction.',
    changePolls((task) => {
      if (isOver(task)) task.credits_used = 1.5;
    }),
  ),
  mutant(
    'credits-text',
    'TASK-08',
    'A completed task reports its credits as text.',
    changePolls((task) => {
      if (isOver(task)) task.credits_used = String(task.credits_used);
    }),
  ),
  mutant(
    'credits-missing',
    'TASK-08',
    'A completed task does not report its credits.',
    changePolls((task) => {
      if (isOver(task)) delete task.credits_used;
    }),
  ),
  mutant(
    'credits-null',
    'TASK-08',
    'The credits_used of a completed task is null.',
    changePolls((task) => {
      if (isOver(task)) task.credits_used = null;
    }),
  ),
  mutant(
    'events-by-id',
    'TASK-09',
    'Events come as an object by id.',
    changePolls((task) => {
      if (!Array.isArray(task.events)) return;
      task.events = Object.fromEntries(task.events.map((event) => [event.id, event]));
    }),
  ),
  mutant(
    'events-renamed',
    'EVENT-08',
    'The events of a task stand in a field called event_log.',
    changePolls((task) => {
      task.event_log = task.events;
      delete task.events;
    }),
  ),
  createListedWith('live-url-number', 'TASK-06', 'The live_url of a task in the list is a number.', {
    live_url: 7,
  }),
  createListedWith(
    'recording-url-object',
    'TASK-07',
    'The recording_url of a task in the list is an object.',
    {
      recording_url: {},
    },
  ),
  createListedWith('credits-text', 'TASK-08', 'The credits_used of a task in the list are a text.', {
    credits_used: '3',
  }),
  createListedWith('events-object', 'TASK-09', 'The events of a task in the list are an object.', {
    events: {},
  }),
  createListedWith('event-without-id', 'EVENT-01', 'Events of a task in the list have no id.', {
    events: [{ name: 'tool_call', payload: {}, timestamp: 1_767_225_600_000 }],
  }),
  mutant(
    'listed-output-boolean',
    'TASK-05',
    'The output of a task in the list is a boolean.',
    changeLists('listTasks', (list) =>
      list.map((task) => (task.status === 'done' ? { ...task, output: true } : task)),
    ),
  ),
  ...['live_url', 'credits_used', 'recording_url'].map((name) =>
    mutant(
      `listed-without-${name.replace('_', '-')}`,
      'TASK-15',
      `The list of tasks leaves out ${name}.`,
      changeLists('listTasks', (list) => list.map(({ [name]: _, ...task }) => task)),
    ),
  ),
  mutant(
    'new-task-credits-text',
    'TASK-08',
    'The credits_used of a new task are a text.',
    changeResponses('createTask', ({ record }) => {
      record.credits_used = '0';
    }),
  ),
  mutant(
    'new-task-events-text',
    'TASK-09',
    'The events of a new task are a text.',
    changeResponses('createTask', ({ record }) => {
      record.events = '[]';
    }),
  ),
  mutant(
    'recording-url-false-while-running',
    'TASK-07',
    'The recording_url of a running task is false.',
    changePolls((task) => {
      if (isRunning(task.status)) task.recording_url = false;
    }),
  ),
  mutant(
    'null-task-refused',
    'TASK-10',
    'A task whose text is null is refused once two of them were made.',
    () => {
      let made = 0;
      return (request, next) => {
        const session = request.is('createTask') && 'task' in request.json && request.json.task === null;
        return session && ++made > 2 ? createRefusal(422, 'task must be a text') : next(request);
      };
    },
  ),
  mutant(
    'text-task-refused',
    'TASK-10',
    'A task with a text is refused.',
    changeRequests('createTask', ({ json }) =>
      typeof json.task === 'string' ? createRefusal(422, 'task must be null') : undefined,
    ),
  ),
  ...['url', 'device', 'custom_tools', 'profile_id', 'response_model', 'files'].map((name) =>
    mutant(
      `task-${name.replace('_', '-')}-refused`,
      'TASK-11',
      `A task that names ${name} is refused.`,
      changeRequests('createTask', ({ json }) =>
        json[name] == null ? undefined : createRefusal(422, `${name} is not known`),
      ),
    ),
  ),
  mutant('task-known-late', 'TASK-01', 'A new task is not to be found for 400 ms.', ({ now }) => {
    const made = new Map<unknown, number>();
    return async (request, next) => {
      if (now() - (made.get(request.task) ?? 0) < 400) return createRefusal(404, 'There is no such task.');
      const response = await next(request);
      if (request.is('createTask') && response.ok) made.set(response.record.id, now());
      return response;
    };
  }),
  mutant(
    'task-model-required',
    'TASK-11',
    'A task with a text is refused unless it has a response_model, which is optional.',
    changeRequests('createTask', ({ json }) =>
      typeof json.task === 'string' && json.response_model == null
        ? createRefusal(422, 'response_model is required')
        : undefined,
    ),
  ),
  mutant(
    'new-task-done',
    'TASK-12',
    'A task that was just accepted is said to be done.',
    changeResponses('createTask', (response) => {
      response.record.status = 'done';
    }),
  ),
  mutant('cancel-ends-as-done', 'TASK-13', 'A task that is deleted ends as done.', renameCancelled('done')),
  mutant(
    'cancel-ends-as-failed',
    'TASK-13',
    'A task that is deleted ends as failed.',
    renameCancelled('failed'),
  ),
  mutant('cancel-forgotten', 'TASK-13', 'A task that was cancelled is running again after a while.', () => {
    const times = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!request.is('getTask') || response.record.status !== 'cancelled') return response;
      const count = (times.get(request.task) ?? 0) + 1;
      times.set(request.task, count);
      if (count > 1) {
        response.record.status = 'running';
        response.status = 202;
      }
      return response;
    };
  }),
  mutant(
    'runs-on-after-cancel',
    'TASK-13',
    'A task that was deleted is said to run for ever.',
    changePolls((task, response) => {
      if (task.status !== 'cancelled') return;
      task.status = 'running';
      response.status = 202;
    }),
  ),
  mutant(
    'new-task-without-status',
    'TASK-14',
    'The answer to a new task leaves out its status.',
    changeResponses('createTask', (response) => {
      delete response.record.status;
    }),
  ),
  mutant(
    'new-task-in-task',
    'TASK-14',
    'The answer to a new task holds its id and its status one level deeper.',
    changeResponses('createTask', (response) => {
      response.r = { id: response.record.id, task: response.record };
    }),
  ),
  mutant(
    'delete-ignored',
    'TASK-13',
    'DELETE of a task is accepted and stops nothing.',
    () => async (request, next) => {
      if (!request.is('deleteTask')) return next(request);
      const known = await next(request.derive('GET', `/task/${request.task}`));
      return known.status === 202 ? new MutantResponse(200, { r: true }) : next(request);
    },
  ),
  mutant(
    'delete-refused',
    'TASK-17',
    'DELETE of a running task is refused with 405.',
    changeResponses('deleteTask', () => createRefusal(405, 'Method Not Allowed')),
  ),
  mutant(
    'delete-stops-the-newest',
    'TASK-17',
    'DELETE stops the newest task in place of the one in the path.',
    () => {
      let newest = '';
      return async (request, next) => {
        if (request.is('deleteTask') && newest !== '' && newest !== request.task) {
          const known = await next(request.derive('GET', `/task/${request.task}`));
          if (known.status === 202) return next(request.derive('DELETE', `/task/${newest}`));
        }
        const response = await next(request);
        if (request.is('createTask') && response.ok) newest = String(response.record.id);
        return response;
      };
    },
  ),
];

/** Changes the output of tasks that were given a response_model. */
function changeModelOutput(change: (output: unknown, model: unknown) => unknown) {
  return () => {
    const models = new Map<unknown, unknown>();
    return async (...[request, next]: Parameters<ReturnType<ReturnType<typeof changeResponses>>>) => {
      const response = await next(request);
      const { response_model } = request.json;
      if (request.is('createTask') && isRecord(response_model))
        models.set(response.record.id, response_model);
      const done = request.is('getTask') && response.record.status === 'done' && models.has(request.task);
      if (done) response.record.output = change(response.record.output, models.get(request.task));
      return response;
    };
  };
}

function omitFirst(value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).slice(1)) : value;
}

function renameCancelled(status: string) {
  return changePolls((task) => {
    if (task.status === 'cancelled') task.status = status;
  });
}

/** Fields of another type in the list of tasks alone. */
function createListedWith(
  id: string,
  requirement: RequirementId,
  breaks: string,
  fields: LooseRecord,
): Mutant {
  const change = changeLists('listTasks', (list) => list.map((task) => ({ ...task, ...fields })));
  return mutant(`listed-${id}`, requirement, breaks, change);
}
