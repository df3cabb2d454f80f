import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { idOf, summarize } from '../../test-case/read-task.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { TOOLS, textFor } from '../../test-case/texts.js';

const REQUIRED = ['name', 'description', 'inputs', 'output'] as const;

const lacking: TestCase = {
  id: 'tool-calls/definition-lacks-a-field',
  title: 'A tool that lacks its name, description, inputs or output is refused with 422',
  covers: ['TOOL-08', 'ERROR-01', 'ERROR-02'],
  operations: ['createTask', 'deleteTask'],
  tasks: 8,
  async run(t) {
    const whole = { ...TOOLS.get_weather };
    const twin = await attempt(t, [whole, { ...TOOLS.ask_person }]);
    if (!twin.ok) {
      const message = `two tools with all four fields: expected them to be accepted, got ${summarize(twin)}`;
      if (twin.status === 422) t.fail('TASK-11', message, twin);
      return t.inconclusive(message);
    }
    for (const missing of REQUIRED) {
      const { [missing]: _, ...rest } = TOOLS.ask_person;
      // The one that is not right stands alone, then behind one that is.
      for (const tools of [[rest], [whole, rest]]) {
        const response = await attempt(t, tools);
        if (response.status === 429)
          return t.inconclusive(`POST /task was answered with ${summarize(response)}`);
        const place = tools.length === 1 ? 'a tool' : 'a second tool';
        const message = `${place} without ${missing}: expected 422, as with all four fields it is accepted; got ${summarize(response)}`;
        t.expect('TOOL-08', response.status === 422, message, twin, response);
        if (response.status !== 422) continue;
        t.expect('ERROR-01', true, message, response);
        const told = field(response.body, 'detail') !== undefined;
        const detail = `expected a 422 with detail, got ${summarize(response)}`;
        t.expect('ERROR-02', told, detail, response);
      }
    }
  },
};

/** Creates a task and stops it at once where that is not refused. */
async function attempt(t: TestContext, custom_tools: readonly object[]): Promise<ApiResponse> {
  const body = { task: textFor(t.settings, 'tool-call'), custom_tools };
  const created = await t.send('createTask', { body });
  const id = idOf(created);
  if (id !== undefined) await t.cancel(t.adoptTask(created, id));
  return created;
}

export const definitionCases: readonly TestCase[] = [lacking];
