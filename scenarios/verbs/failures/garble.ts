import { httpStatus, text, type Verb } from '../verb.js';

export interface GarbleRule {
  network: 'garble';
  status?: number;
  body?: string;
  content_type?: string;
}

const STATUS = 502;
const CONTENT_TYPE = 'text/html';
const GATEWAY_PAGE = `<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center></body>
</html>
`;

/** The response of a gateway that does not know the API. */
export const garble: Verb<GarbleRule, 'garble'> = {
  name: 'garble',
  description: 'A body that is not JSON.',
  phase: 'response',
  fields: {
    status: httpStatus(200, { default: STATUS }),
    body: text('The body. Left out: an HTML page of a gateway.'),
    content_type: {
      description: 'Content type of the response.',
      type: 'string',
      pattern: '^[ -~]+$',
      default: CONTENT_TYPE,
      'x-expected': 'a text of printable ASCII characters, as HTTP headers are',
    },
  },
  first: 'status',
  examples: [
    {
      network: 'garble',
      status: 502,
      body: '<h1>Bad Gateway</h1>',
      content_type: 'text/html',
      of: 'poll',
    },
  ],
  describe: ({ status = STATUS }) => `garble with ${status}`,
  onResponse: ({ status = STATUS, body = GATEWAY_PAGE, content_type: contentType = CONTENT_TYPE }) => ({
    note: 'response replaced by a body that is not JSON',
    page: { status, body, contentType },
  }),
  deviations: {
    ranks: { garble: { poll: 18, reply: 34 } },
    changes: {
      garble: { sort: 'no response', clause: ({ request }) => `the response to ${request} was not JSON` },
    },
    isFault: true,
    isHidden: true,
    isOfAnyPoll: true,
    forRequest: () => [['garble', {}]],
  },
};
