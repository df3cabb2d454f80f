import type { Mock } from '../../mock/interface.js';
import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import { printOf, replyOf } from '../conversation/reply.js';
import { callsNamed, callsOf, type MadeCall, nameOfCall } from './calls.js';
import { type Conversation, conversationsOf, type Line } from './timeline/conversation.js';
import { showLines } from './timeline/timeline.js';

/** What came of an expectation, and why, with the lines of the timeline that show it. */
export interface Verdict {
  holds: boolean;
  why: string;
}

/** Lines shown with a verdict. */
const MOST_LINES = 20;

/**
 * The service has taken a reply to the call, and the client sent none after one that was confirmed: what it sent again because it
 * got no good answer counts as the same reply, as long as it says the same. Throws Error where there is no such call, or
 * more than one of the name.
 */
export function repliedOnce(mock: Mock, name: string): Verdict {
  const calls = callsOf(conversationsOf(mock));
  const [made, another] = callsNamed(name, calls);
  if (!made) throw new Error(`there is no tool call ${quote(name)}: ${thereAre(calls.map(nameOfCall))}`);
  if (another) {
    const same = callsNamed(name, calls).map(nameOfCall);
    throw new Error(`${same.length} tool calls go by ${quote(name)}, give the id of one: ${same.join(', ')}`);
  }
  const wrong = unlikeOnce(made);
  const shown = excerpt(made.conversation, ({ events }) => events.includes(made.id));
  const what = wrong ?? 'it was';
  return { holds: wrong === undefined, why: `call ${nameOfCall(made)}: ${what}\n${shown}` };
}

function unlikeOnce({ call, replies }: MadeCall): string | undefined {
  if (replies.length === 0) return 'no reply was sent';
  const confirmed = replies.findIndex((reply) => reply.ok && !reply.unclear);
  const after = confirmed === -1 ? 0 : replies.length - 1 - confirmed;
  if (after > 0) {
    const others = after === 1 ? 'another one was' : `${after} others were`;
    return `${replies.length} replies were sent: one was confirmed (200), and ${others} sent after it`;
  }
  if (!call.reply) return `the service took none of the replies that were sent (${replies.length})`;
  const differing = new Set(replies.filter((reply) => !isRefused(reply)).map(said)).size > 1;
  return differing ? 'replies that say different things were sent: a call has one outcome' : undefined;
}

/** For good: what comes after it is no second try of the same. */
function isRefused({ exchange }: ReadExchange): boolean {
  const status = exchange.response?.status ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

function said(reply: ReadExchange): string {
  return printOf(replyOf(reply)?.payload);
}

/** The rules have nothing to say about the client. Throws Error where it sent no request of the API: there was nothing to judge. */
export function noFindings(mock: Mock): Verdict {
  const conversations = conversationsOf(mock);
  if (!conversations.some(({ exchanges }) => exchanges.some(({ operation }) => operation !== undefined))) {
    const sent = conversations.flatMap(({ exchanges }) => exchanges).length;
    const what = sent === 0 ? 'no request' : `${sent} requests, none of them of the API`;
    throw new Error(`the mock received ${what}: there is nothing to judge`);
  }
  const findings = conversations.flatMap((conversation) => {
    const organisation = [...mock.service.organisations.all()].find(
      ({ name }) => name === conversation.organisation,
    );
    return mock.findings(organisation?.key).map(({ rule, requirement, message, evidence }) => {
      const shown = excerpt(conversation, ({ seq }) => seq !== undefined && evidence.includes(seq));
      return `${rule} (${requirement}): ${message}\n${shown}`;
    });
  });
  return { holds: findings.length === 0, why: findings.join('\n') };
}

/** The task has, or had in an answer, this status. Throws Error where there is no such task or no such status, or several tasks and none is named. */
export function reached(mock: Mock, status: TaskStatus, id?: string): Verdict {
  if (!TASK_STATUSES.includes(status)) {
    throw new Error(`there is no status ${quote(status)}: there are ${TASK_STATUSES.join(', ')}`);
  }
  const all = conversationsOf(mock).flatMap((conversation) =>
    conversation.tasks.map((task) => ({ task, conversation })),
  );
  const [found, another] = all.filter(({ task }) => id === undefined || task.id === id);
  const ids = all.map(({ task }) => task.id);
  if (!found)
    throw new Error(
      `${id === undefined ? 'there is no task' : `there is no task ${quote(id)}`}: ${thereAre(ids)}`,
    );
  if (another) throw new Error(`there are ${all.length} tasks, give the id of one: ${ids.join(', ')}`);
  const { task, conversation } = found;
  const seen = conversation.exchanges.some((each) => each.task === task.id && each.status === status);
  const last = conversation.lines.filter((line) => line.task === task.id).slice(-6);
  const shown = excerpt(conversation, (line) => last.includes(line));
  const end = isTerminal(task.status) ? 'ended as' : 'is still';
  return { holds: task.status === status || seen, why: `task ${task.id} ${end} "${task.status}"\n${shown}` };
}

function excerpt(conversation: Conversation, matters: (line: Line) => boolean): string {
  const lines = showLines(conversation, conversation.lines.filter(matters));
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`  … ${more} more lines`] : [])].join('\n');
}

function thereAre(names: readonly string[]): string {
  if (names.length === 0) return 'there are none';
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}${more}`;
}

function quote(text: unknown): string {
  return JSON.stringify(text) ?? String(text);
}
