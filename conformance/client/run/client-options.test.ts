import { describe, expect, it } from 'vitest';
import { type GivenClient, resolveClient, resolveScenarios } from './client-options.js';

const run = async () => undefined;

describe('resolveClient', () => {
  it.each<[string, GivenClient, object]>([
    ['a function', run, { kind: 'function', run }],
    ['the words of a command', ['node', 'client.mjs'], { kind: 'command', command: ['node', 'client.mjs'] }],
    ['a client spelled out', { kind: 'node', command: ['node'] }, { kind: 'node', command: ['node'] }],
  ])('accepts %s', (_, client, expected) => {
    expect(resolveClient(client)).toMatchObject(expected);
  });

  it.each([[undefined], [[]], ['node client.mjs'], [{ kind: 'shell', command: ['x'] }], [[1]]])(
    'says what it wants in place of %j',
    (client) => {
      expect(() => resolveClient(client as never)).toThrow(/expected a function, the words of a command/);
    },
  );
});

describe('resolveScenarios', () => {
  it('accepts names, globs and loaded scenarios, each once', async () => {
    const [loaded] = await resolveScenarios(['polling/one-shot']);
    const all = await resolveScenarios([loaded!, 'polling/one-shot', 'limits/c*-limited']);
    expect(all.map(({ name }) => name)).toEqual([
      'polling/one-shot',
      'limits/cancel-limited',
      'limits/close-limited',
      'limits/create-limited',
    ]);
  });

  it('accepts files', async () => {
    const [one] = await resolveScenarios(['scenarios/polling/one-shot.yaml']);
    expect(one?.title).toBe((await resolveScenarios(['polling/one-shot']))[0]!.title);
  });

  it('accepts names of generated ones', async () => {
    const [one, ...others] = await resolveScenarios(['generated/1-17']);
    expect(one?.name).toBe('generated/1-17');
    expect(others).toEqual([]);
    await expect(resolveScenarios(['generated/1-0'])).rejects.toThrow(/no scenario/);
  });

  it('suggests the nearest name', async () => {
    await expect(resolveScenarios(['polling/one-shoot'])).rejects.toThrow(
      /did you mean "polling\/one-shot"\?/,
    );
  });
});
