import { parseUrl } from '../../../../spec/addresses.js';
import type { Choices } from './choices.js';
import type { Fields, Json, Outcome } from './ledger.js';
import { isFields, makeMatching } from './schema.js';
import { evaluateScript } from './script.js';

function titleOf(page: string): string {
  return page === 'about:blank' ? '' : `Page of ${new URL(page).host}`;
}

export function isPageAddress(value: Json | undefined): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && parseUrl(value) !== undefined;
}

const bad = (output: string): Outcome => ({ code: 400, output });

function performGoto(input: Fields, choices: Choices): { outcome: Outcome; page?: string } {
  const url = input['url'];
  if (!isPageAddress(url)) return { outcome: bad('goto needs the url of a page') };
  if (new URL(url).hostname.endsWith('.invalid'))
    return { outcome: { code: 500, output: 'the host has no address' } };
  const output = choices.varies('goto-tells-page') ? { url, title: titleOf(url) } : null;
  return { outcome: { code: 200, output }, page: url };
}

function performExtract(input: Fields): Outcome {
  if (!isFields(input['schema'])) return bad('extract needs a schema');
  if (input['prompt'] !== undefined && typeof input['prompt'] !== 'string') return bad('prompt is a text');
  const made = makeMatching(input['schema']);
  return made
    ? { code: 200, output: made.value }
    : { code: 500, output: 'this schema is not supported here' };
}

function performScript(input: Fields, page: string, choices: Choices): Outcome {
  if (typeof input['js'] !== 'string') return bad('evaluate_js needs js');
  const told = evaluateScript(input['js'], input['args'] ?? null, page, titleOf(page));
  if (choices.fault('js-error-is-200') && told.code === 500) return { code: 200, output: told.output };
  return choices.fault('falsy-output-lost') && !told.output ? { code: told.code, output: null } : told;
}

/** What an action comes to; no outcome for close and run_task, which take their time. */
export function performAction(
  name: string,
  payload: Fields,
  page: string,
  choices: Choices,
): { outcome?: Outcome; page?: string } {
  const action = payload['name'];
  if (name === 'session_action' && action === 'close') return {};
  const input = payload['input'];
  if (!isFields(input)) return { outcome: bad('the action needs an input') };
  if (name === 'session_action' && action === 'run_task') {
    const steps = input['max_steps'];
    if (typeof input['task'] !== 'string' || input['task'] === '')
      return { outcome: bad('run_task needs a task') };
    if (steps !== undefined && !(Number.isInteger(steps) && (steps as number) > 0)) {
      return { outcome: bad('max_steps is a whole number above 0') };
    }
    return {};
  }
  if (name === 'browser_action' && action === 'goto') return performGoto(input, choices);
  if (name === 'browser_action' && action === 'extract') return { outcome: performExtract(input) };
  if (name === 'browser_action' && action === 'evaluate_js')
    return { outcome: performScript(input, page, choices) };
  return { outcome: bad(`there is no ${name} ${String(action)}`) };
}
