import { field, show } from '../../../conversation/json.js';
import type { Answer } from '../../http-client/response.js';
import { ended, played } from '../../scenarios/player-checks.js';
import { said } from '../../scenarios/player-read.js';
import type { Probe } from '../test-case.js';
import { textFor } from '../texts.js';
import { leavesOf } from './reading.js';
import { eventually, mustSucceed } from './requests.js';

/** Numbers in the record of the usage; how the balance is called is open (`record.usage`). */
function numbersIn({ r }: Answer): Map<string, number> {
  const leaves = leavesOf(r).flatMap(({ path, value }) =>
    typeof value === 'number' ? [[path, value] as const] : [],
  );
  return new Map(leaves);
}

const consumed = played({
  id: 'resources/credits',
  title: 'The cost of a task is taken from the balance of credits',
  covers: ['SERVICE-05'],
  operations: ['getUsage', 'getAutoTopUp', 'createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const before = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', before, 'GET /usage');
    const was = numbersIn(before);
    if (was.size === 0) return t.inconclusive(`no balance that a task could change in ${said(before)}`);
    const settings = await t.send('getAutoTopUp');
    const toppedUp = leavesOf(settings.r).some(
      ({ name, value }) => /activ|enabl|^on$/i.test(name) && value === true,
    );
    if (toppedUp)
      return t.inconclusive('the automatic top-up is active: it may make up for what a task costs');
    const task = await t.player.create({ task: textFor(t.settings, 'one-shot') });
    if (!(await ended(t, task))) return;
    const cost = field(task.last.r, 'credits_used');
    if (typeof cost !== 'number' || cost <= 0)
      return t.inconclusive(`the task reports ${show(cost)} as credits_used: it cost nothing`);
    const changes = (answer: Answer) => {
      const now = numbersIn(answer);
      return [...was].some(([path, value]) => now.get(path) !== value);
    };
    const after = await eventually(
      t,
      () => t.send('getUsage'),
      (answer) => !answer.ok || changes(answer),
    );
    if (!after.ok) return t.inconclusive(`GET /usage was answered with ${said(after)}`);
    const message = `a task reports that it cost ${cost} credits: expected the balance in GET /usage to be less than before, got ${said(after)} before and afterwards`;
    t.expect('SERVICE-05', changes(after), message, before, task.last, after);
  },
});

export const creditProbes: readonly Probe[] = [consumed];
