import { describe, expect, it } from 'vitest';
import type { Command } from '../../operations/command.js';
import { SequenceNames } from './names.js';

const poll: Command = { operation: 'getTask', path: { task_id: '{{task1.task_id}}' }, condition: 'plain' };

function named(values: Record<string, string>): SequenceNames {
  const names = new SequenceNames('word');
  names.set('task1', values);
  return names;
}

describe('the request of a command', () => {
  it('contains the names known at that time', () => {
    const names = new SequenceNames('word');
    expect(names.resolve(poll)).toBeUndefined();
    for (const task_id of ['a', 'b']) {
      names.set('task1', { task_id });
      expect(names.resolve(poll)).toEqual({ path: { task_id } });
    }
  });

  it('takes the permanent 429 of an account without credits or a paid plan', () => {
    const names = named({ task_id: 'a' });
    for (const key of ['exhausted', 'free'] as const)
      expect(names.resolve({ ...poll, key })).toMatchObject({ key, takes: [429] });
    expect(names.resolve({ ...poll, key: 'other' })).toEqual({ path: { task_id: 'a' }, key: 'other' });
  });

  it('has a form as browsers write it', async () => {
    const form = [
      { name: 'purpose', text: '{{word.text01}}' },
      { name: 'file', file: 'a "b".txt', content: 'é {{word.content02}}' },
      { name: 'archive', file: 'x', content: 'zip' },
    ];
    const { content, type } = new SequenceNames('w').resolve({
      operation: 'uploadFile',
      form,
      condition: 'plain',
    })!.raw!;
    const headers = { 'content-type': type! };
    const read = await new Response(content as BodyInit, { headers }).formData();
    const file = read.get('file') as File;
    const archive = read.get('archive') as File;
    expect(read.get('purpose')).toBe('w-text01');
    expect([file.name, file.type, await file.text()]).toEqual(['a "b".txt', 'text/plain', 'é w-content02']);
    expect([archive.name, archive.type]).toEqual(['x.zip', 'application/zip']);
    expect((await archive.text()).slice(0, 2)).toBe('PK');
  });
});
