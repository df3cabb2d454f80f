import type { Examples } from '../../../test/support/rules/example.js';
import { CONFIRMED, Talk } from '../../../test/support/rules/talk.js';

const uploaded = () =>
  new Talk().ask(
    { method: 'POST', path: '/file', body: '(12 bytes of multipart)', headers: { apikey: 'key' } },
    { body: { r: { id: 'f1' } } },
  );

export const examples: Examples = {
  'ids/uploaded-file': {
    good: {
      'the id in r': uploaded().create({ task: 'x', files: ['f1'] }),
      'no files': new Talk().create({ task: 'x', files: null }),
    },
    bad: {
      'an id read beside r, in JavaScript': {
        talk: uploaded().create({ task: 'x', files: [undefined] }),
        says: /lists the file null.*"r"/,
        evidence: [2],
      },
      'the same in a template': {
        talk: uploaded().create({ task: 'x', files: ['undefined'] }),
        says: /lists the file "undefined"/,
        evidence: [2],
      },
      'the same in Python': {
        talk: uploaded().create({ task: 'x', files: ['None'] }),
        says: /lists the file "None"/,
        evidence: [2],
      },
    },
  },
  'ids/no-value': {
    good: {
      'null for what is not set': new Talk().create({ task: 'x', profile_id: null }),
      'a text of any words': new Talk().create({ task: 'null' }),
      'a workspace of that name': new Talk().ask({ method: 'POST', path: '/workspace/null' }, CONFIRMED),
    },
    bad: {
      'in the path': {
        talk: new Talk().ask({ path: '/task/undefined?event_t=0' }, { status: 404 }),
        says: /GET \/task\/\{task_id\} has "undefined" for task_id/,
        evidence: [1],
      },
      'in the body': {
        talk: new Talk().create({ task: 'x', profile_id: 'None' }),
        says: /"None" for profile_id/,
        evidence: [1],
      },
    },
  },
};
