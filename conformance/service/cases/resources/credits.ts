import { field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { leavesOf } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustSucceed, readUntil } from '../../test-case/requests.js';
import { expectEnd } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import { textFor } from '../../test-case/texts.js';

/** Numbers in the record of the usage; how the balance is called is open (`record.usage`). */
function numbersIn({ r }: ApiResponse): Map<string, number> {
  const leaves = leavesOf(r).flatMap(({ path, value }) =>
    typeof value === 'number' ? [[path, value] as const] : [],
  );
  return new Map(leaves);
}

const consumed: TestCase = {
  id: 'resources/credits',
  title: 'The cost of a task is taken from the balance of credits',
  covers: ['SERVICE-05'],
  operations: ['getUsage', 'getAutoTopUp', 'createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const before = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', before, 'GET /usage');
    const was = numbersIn(before);
    if (was.size === 0) return t.inconclusive(`no balance that a task could change in ${summarize(before)}`);
    const settings = await t.send('getAutoTopUp');
    const toppedUp = leavesOf(settings.r).some(
      ({ name, value }) => /activ|enabl|^on$/i.test(name) && value === true,
    );
    if (toppedUp)
      return t.inconclusive('the automatic top-up is active: it may make up for what a task costs');
    const task = await t.createTask({ task: textFor(t.settings, 'one-shot') });
    if (!(await expectEnd(t, task))) return;
    const cost = field(task.last.r, 'credits_used');
    if (typeof cost !== 'number' || cost <= 0)
      return t.inconclusive(`the task reports ${show(cost)} as credits_used: it cost nothing`);
    const changes = (response: ApiResponse) => {
      const now = numbersIn(response);
      return [...was].some(([path, value]) => now.get(path) !== value);
    };
    const after = await readUntil(
      t,
      () => t.send('getUsage'),
      (response) => !response.ok || changes(response),
    );
    if (!after.ok) return t.inconclusive(`GET /usage was answered with ${summarize(after)}`);
    const message = `a task reports that it cost ${cost} credits: expected the balance in GET /usage to be less than before, got ${summarize(after)} before and afterwards`;
    t.expect('SERVICE-05', changes(after), message, before, task.last, after);
  },
};

export const creditCases: readonly TestCase[] = [consumed];
