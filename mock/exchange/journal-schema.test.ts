import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fields, text } from '../../spec/json-schema/build-schema.js';
import { NETWORK_EFFECTS, UNRECORDED } from '../../spec/vocabulary.js';
import {
  createRecordedMock,
  playConversation,
  ReplayClient,
} from '../../test/support/replay/replay-client.js';
import schema from './journal.schema.json' with { type: 'json' };
import { EXCHANGE_FIELDS, formatJournalLine, JOURNAL_VERSION } from './journal-file.js';

interface Node {
  enum?: unknown[];
  $ref?: string;
  items?: Node;
  type?: string;
  required?: readonly string[];
  properties?: Record<string, Node>;
}

/** The fields of a schema with their types, `!` for those that are required. */
function outline({ properties = {}, required = [] }: Node, path = ''): string[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const node: Node = given.$ref ? { ...given, ...schema.$defs.response } : given;
    return [
      `${path}${name}${required.includes(name) ? '!' : ''} ${node.type ?? ''}`,
      ...outline(node, `${path}${name}.`),
      ...(name === 'upstream' ? outline(node.items!, `${path}${name}[].`) : []),
    ];
  });
}

describe('the schema of a journal', () => {
  it('has the fields that are read, and the version', () => {
    const read = outline(fields({ ...EXCHANGE_FIELDS, organisation: text }) as Node);
    expect(outline(schema as Node).sort()).toEqual(['version ', ...read].sort());
    expect(schema.properties.version.const).toBe(JOURNAL_VERSION);
    expect(schema.properties.network.items.properties.effect.enum).toEqual(NETWORK_EFFECTS);
    expect(schema.properties.unrecorded.items.enum).toEqual(UNRECORDED);
  });

  it('accepts what a mock records, and no line with a missing field', async () => {
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    const whole = createRecordedMock();
    await playConversation(whole.mock.fetch);
    const cut = createRecordedMock({
      network: 'drop response of create times 1; truncate of getUsage times 1',
    });
    const client = new ReplayClient(cut.mock.fetch);
    await client.request('POST', '/task', { task: 'x' });
    await client.request('GET', '/usage');
    const tape = [...whole.tape, ...cut.tape];
    expect(tape.length).toBeGreaterThan(10);
    for (const each of tape) {
      expect(validate(JSON.parse(formatJournalLine(each))), JSON.stringify(validate.errors)).toBe(true);
    }
    const { organisation: _, ...less } = tape[0]!;
    expect(validate(less)).toBe(false);
    expect(validate({ ...tape[0], version: 2 })).toBe(false);
  });
});
