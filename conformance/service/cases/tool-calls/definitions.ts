import { field } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import { played } from '../../scenarios/player-checks.js';
import { idOf, said } from '../../scenarios/player-read.js';
import type { Probe, Probing } from '../test-case.js';
import { TOOLS, textFor } from '../texts.js';

const REQUIRED = ['name', 'description', 'inputs', 'output'] as const;

const lacking = played({
  id: 'tool-calls/definition-lacks-a-field',
  title: 'A tool that lacks its name, description, inputs or output is refused with 422',
  covers: ['TOOL-08', 'ERROR-01', 'ERROR-02'],
  operations: ['createTask', 'deleteTask'],
  tasks: 8,
  async run(probing) {
    const whole = { ...TOOLS.get_weather };
    const twin = await attempt(probing, [whole, { ...TOOLS.ask_person }]);
    if (!twin.ok) {
      const message = `two tools with all four fields: expected them to be accepted, got ${said(twin)}`;
      if (twin.status === 422) probing.broke('TASK-11', message, twin);
      return probing.inconclusive(message);
    }
    for (const missing of REQUIRED) {
      const { [missing]: _, ...rest } = TOOLS.ask_person;
      // The one that is not right stands alone, then behind one that is.
      for (const tools of [[rest], [whole, rest]]) {
        const answer = await attempt(probing, tools);
        if (answer.status === 429)
          return probing.inconclusive(`POST /task was answered with ${said(answer)}`);
        const place = tools.length === 1 ? 'a tool' : 'a second tool';
        const message = `${place} without ${missing}: expected 422, as with all four fields it is accepted; got ${said(answer)}`;
        probing.expect('TOOL-08', answer.status === 422, message, twin, answer);
        if (answer.status !== 422) continue;
        probing.expect('ERROR-01', true, message, answer);
        const told = field(answer.body, 'detail') !== undefined;
        const detail = `expected a 422 with detail, got ${said(answer)}`;
        probing.expect('ERROR-02', told, detail, answer);
      }
    }
  },
});

/** Creates a task and stops it at once where that is not refused. */
async function attempt(probing: Probing, custom_tools: readonly object[]): Promise<Answer> {
  const body = { task: textFor(probing.settings, 'tool-call'), custom_tools };
  const created = await probing.send('createTask', { body });
  const id = idOf(created);
  if (id !== undefined) await probing.player.cancel(probing.player.adopt(created, id));
  return created;
}

export const definitionProbes: readonly Probe[] = [lacking];
