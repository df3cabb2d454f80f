import { expect, it } from 'vitest';
import { loadLibrary } from './library/library.js';
import { findLacking, listNeeds } from './needs.js';

const library = new Map((await loadLibrary()).map((each) => [each.name, each]));

it.each([
  ['polling/one-shot', []],
  ['tool-calls/one-call', ['tools']],
  ['races/unknown-tool', ['tools']],
  ['errors/cancel-request-lost', ['cancel']],
  ['sessions/close-by-delete', ['sessions', 'close']],
  ['races/close-against-run-task', ['sessions', 'cancel']],
  ['sessions/run-task-with-tools', ['sessions', 'close', 'tools']],
  ['polling/output-as-object', ['structured-output', 'response_model']],
  ['races/late-recording', ['recording_url']],
  ['polling/second-wait', ['second_wait']],
])('%s needs %j', (name, needs) => {
  expect(listNeeds(library.get(name)!)).toEqual(needs);
});

it('a field that may be left out, that is null or empty, is not needed', () => {
  const scenario = library.get('polling/one-shot')!;
  const request = { task: 'x', url: null, files: [], device: 'mobile', stealth_mode: true };
  expect(listNeeds({ ...scenario, request })).toEqual(['device']);
  expect(listNeeds({ ...scenario, request, optional_fields: ['device'] })).toEqual(['stealth_mode']);
  const full = { task: 'x', profile_id: 'p', files: ['f'] };
  expect(listNeeds({ ...scenario, request: full })).toEqual(['profiles', 'files', 'profile_id']);
});

it('names the first thing that is lacking', () => {
  const scenario = library.get('sessions/close-by-delete')!;
  expect(findLacking(scenario, ['close', 'sessions'])).toBe('sessions');
  expect(findLacking(scenario, ['tools'])).toBeUndefined();
});
