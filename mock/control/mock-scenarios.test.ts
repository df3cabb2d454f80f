import { describe, expect, it } from 'vitest';
import { createScenario, startMock } from '../../test/support/mock/mock.js';

describe('scenarios', () => {
  const yaml =
    'title: From text\nrequest: { task: Hello }\ntimeline:\n  - service: finish\n    output: from text\n';

  it('are added from text and from objects, and replace scenarios of the same name', async () => {
    const mock = await startMock();
    expect(await mock.control.scenarios.add(yaml)).toEqual({ added: ['given/from-text'], problems: [] });
    const object = {
      title: 'From an object',
      request: { task: 'Hi' },
      timeline: [{ service: 'finish', output: 'object' }],
    };
    expect(
      await mock.control.scenarios.add([object, { ...object, name: 'mine', title: 'Mine' }]),
    ).toMatchObject({
      added: ['given/from-an-object', 'mine'],
    });
    await mock.control.scenarios.add({ ...object, name: 'mine', title: 'Mine again', covers: ['POLL-01'] });
    const given = (await mock.control.scenarios.list()).filter(({ from }) => from === 'added');
    expect(given.map(({ name, title }) => [name, title])).toEqual([
      ['given/from-text', 'From text'],
      ['given/from-an-object', 'From an object'],
      ['mine', 'Mine again'],
    ]);
    expect((await mock.control.scenarios.list()).some(({ from }) => from === 'library')).toBe(true);
    const id = await mock.create({ task: 'Hello' });
    expect((await mock.poll(id)).r.output).toBe('from text');
  });

  it('that are invalid are returned with their problems, and none is added', async () => {
    const mock = await startMock();
    const good = { title: 'Good', request: { task: 'x' }, timeline: [{ service: 'finish' }] };
    const { added, problems } = await mock.control.scenarios.add([
      good,
      { ...good, name: 'bad', timeline: [{ service: 'finsh' }] },
    ]);
    expect(added).toEqual([]);
    expect(problems).toMatchObject([
      { file: 'scenario "bad"', message: expect.stringContaining('did you mean finish?') },
    ]);
    expect((await mock.control.scenarios.add('title: x\n  y')).problems[0]!.line).toBeGreaterThan(0);
    expect((await mock.control.scenarios.list()).filter(({ from }) => from !== 'library')).toEqual([]);
  });

  it('are queued for one organisation, or for all and later ones', async () => {
    const done = (name: string) => createScenario(name, [{ service: 'finish', output: name }]);
    const mock = await startMock({ scenarios: [done('one'), done('two')] });
    await mock.control.scenarios.queue(['one', 'two'], 'a');
    const outputs = async (key: string) =>
      (await mock.poll(await mock.create({ task: 'x' }, key), 0, key)).r.output;
    expect(await outputs('a')).toBe('one');
    expect(await outputs('a')).toBe('two');
    await mock.control.scenarios.queue('two');
    expect([await outputs('a'), await outputs('later')]).toEqual(['two', 'two']);
    expect(await outputs('later')).not.toBe('two');
    mock.control.reset();
    expect(await outputs('later again')).not.toBe('two');
    await expect(mock.control.scenarios.queue('tow', 'a')).rejects.toThrow(
      'There is no scenario "tow"; did you mean two?',
    );
    // A mock may have scenarios of its own, which no command lists.
    await expect(mock.control.scenarios.queue('xyzzy', 'a')).rejects.toThrow(
      'GET /__admin/scenarios lists them',
    );
  });
});
