import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
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
