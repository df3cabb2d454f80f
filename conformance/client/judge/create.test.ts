import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import { recordSentFields } from './create.js';
import { judgeRun } from './verdict.js';

const TASK = { task: 'Do it' };
type Body = Record<string, unknown>;

/** The findings about POST /task with the body `sent`, where the job has `request`. */
function judgeCreation(request: Body, sent: Body): string[] {
  const talk = new ExchangeBuilder().create(sent).poll(undefined).complete(undefined);
  return judgeRun(createRun(talk, { job: { request } })).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('a field of POST /task that the job does not have', () => {
  it.each<[string, Body]>([
    ['the default', { device: 'desktop' }],
    ['defaults of fields that are not listed', { max_steps: 32, enable_recording: true, agent: 'smooth' }],
    ['nothing', { url: null, profile_id: '', files: [], custom_tools: null, response_model: {} }],
    ['a field that the description does not list', { metadata: { sdk: '1.2.3' }, session_id: 's' }],
    ['an unknown field', { trace: 'on' }],
  ])('passes: %s', (_, added) => {
    expect(judgeCreation(TASK, { ...TASK, ...added })).toEqual([]);
  });

  it.each<[string, Body]>([
    ['device', { device: 'mobile' }],
    ['url', { url: 'https://partner.example' }],
    ['profile_id', { profile_id: '0170' }],
    ['response_model', { response_model: { type: 'array' } }],
    ['custom_tools', { custom_tools: [{ name: 'a', description: '', inputs: {}, output: '' }] }],
    ['files', { files: ['f'] }],
  ])('fails: %s', (name, added) => {
    const [finding, ...others] = judgeCreation(TASK, { ...TASK, ...added });
    expect(finding).toContain(`for "${name}", and the request of the job does not have this field`);
    expect(others).toEqual([]);
  });
});

describe('an optional field that POST /task leaves out', () => {
  const judgeMissing = (request: Body, sentFields: string[]) => {
    const talk = new ExchangeBuilder().create(TASK).poll(undefined).complete(undefined);
    const job = { request: { ...TASK, ...request }, optional_fields: Object.keys(request) };
    const earlier = new Map(sentFields.map((name) => [name, 'test/earlier']));
    return judgeRun(createRun(talk, { job, sentFields: earlier })).map(({ message }) => message);
  };

  it.each<[string, Body, string[]]>([
    ['the client never sent it', { use_adblock: false }, ['enable_recording']],
    ['its value is the default', { show_cursor: false }, ['show_cursor']],
    ['it is null', { use_adblock: null }, ['use_adblock']],
    ['its value is not false or 0', { metadata: { a: 1 } }, ['metadata']],
  ])('passes: %s', (_, request, sentFields) => {
    expect(judgeMissing(request, sentFields)).toEqual([]);
  });

  it('fails: the client sent it in an earlier run', () => {
    expect(judgeMissing({ use_adblock: false }, ['use_adblock'])).toEqual([
      expect.stringContaining('leaves out "use_adblock", which is false'),
    ]);
  });

  it('is known from the requests of earlier runs', () => {
    const sentFields = new Map<string, string>();
    const talk = new ExchangeBuilder().create({ ...TASK, use_adblock: true, url: null });
    recordSentFields(createRun(talk), sentFields);
    expect([...sentFields]).toEqual([
      ['task', 'test/made-by-hand'],
      ['use_adblock', 'test/made-by-hand'],
    ]);
  });
});
