import { describe, expect, it } from 'vitest';
import { clientFrom, type GivenClient, scenariosFrom } from './client-options.js';

const run = async () => undefined;

describe('clientFrom', () => {
  it.each<[string, GivenClient, object]>([
    ['a function', run, { kind: 'function', run }],
    ['the words of a command', ['node', 'client.mjs'], { kind: 'command', command: ['node', 'client.mjs'] }],
    ['a client spelled out', { kind: 'node', command: ['node'] }, { kind: 'node', command: ['node'] }],
  ])('takes %s', (_, client, expected) => {
    expect(clientFrom(client)).toMatchObject(expected);
  });

  it.each([[undefined], [[]], ['node client.mjs'], [{ kind: 'shell', command: ['x'] }], [[1]]])(
    'says what it wants in place of %j',
    (client) => {
      expect(() => clientFrom(client as never)).toThrow(/expected a function, the words of a command/);
    },
  );
});

describe('scenariosFrom', () => {
  it('takes names, globs and loaded scenarios, each once', async () => {
    const [loaded] = await scenariosFrom(['polling/one-shot']);
    const all = await scenariosFrom([loaded!, 'polling/one-shot', 'limits/c*-limited']);
    expect(all.map(({ name }) => name)).toEqual([
      'polling/one-shot',
      'limits/cancel-limited',
      'limits/close-limited',
      'limits/create-limited',
    ]);
  });

  it('takes files', async () => {
    const [one] = await scenariosFrom(['scenarios/polling/one-shot.yaml']);
    expect(one?.title).toBe((await scenariosFrom(['polling/one-shot']))[0]!.title);
  });

  it('takes generated ones by their names', async () => {
    const [one, ...others] = await scenariosFrom(['generated/1-17']);
    expect(one?.name).toBe('generated/1-17');
    expect(others).toEqual([]);
    await expect(scenariosFrom(['generated/1-0'])).rejects.toThrow(/no scenario/);
  });

  it('says which is meant', async () => {
    await expect(scenariosFrom(['polling/one-shoot'])).rejects.toThrow(/did you mean "polling\/one-shot"\?/);
  });
});
