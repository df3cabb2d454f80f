import { expectEnd, expectTask } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import { textFor } from '../../test-case/texts.js';

/** Forms of output that are asked for, each with what is particular about it. */
const MODELS: Readonly<Record<string, { title: string; model: Record<string, unknown> }>> = {
  object: {
    title: 'an object with required fields of several types',
    model: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        links: { type: 'integer', minimum: 0 },
        has_images: { type: 'boolean' },
      },
      required: ['title', 'links', 'has_images'],
      additionalProperties: false,
    },
  },
  nested: {
    title: 'objects within objects within lists',
    model: {
      type: 'object',
      properties: {
        page: {
          type: 'object',
          properties: {
            title: { type: 'string', minLength: 1 },
            links: {
              type: 'array',
              items: {
                type: 'object',
                properties: { text: { type: 'string' }, url: { type: 'string' } },
                required: ['text', 'url'],
              },
            },
          },
          required: ['title', 'links'],
        },
      },
      required: ['page'],
    },
  },
  array: {
    title: 'a list',
    model: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 },
  },
  enum: {
    title: 'one of a few values, a number within bounds, and null where there is nothing',
    model: {
      type: 'object',
      properties: {
        language: { type: 'string', enum: ['english', 'german', 'other'] },
        confidence: { type: 'number', minimum: 0, maximum: 1 },
        author: { type: ['string', 'null'] },
      },
      required: ['language', 'confidence', 'author'],
    },
  },
};

const structured = Object.entries(MODELS).map(
  ([name, { title, model }]): TestCase => ({
    id: `polling/output-as-${name}`,
    title: `The output has the form that response_model asks for: ${title}`,
    covers: ['TASK-04', 'TASK-05', 'TASK-11'],
    operations: ['createTask', 'getTask'],
    tasks: 1,
    async run(t) {
      const request = { task: textFor(t.settings, 'structured'), response_model: model };
      const task = await expectTask(t, request, 'TASK-11');
      if (!(await expectEnd(t, task))) return;
      if (task.status !== 'done') t.inconclusive(`the task ended as ${task.status}, not as done`);
    },
  }),
);

export const outputCases: readonly TestCase[] = structured;
