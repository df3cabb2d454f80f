import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  buildExchanges,
  createBadExample,
  REFUSED,
} from '../../../test/support/rules/service-exchange-builder.js';

const usage = (response: Parameters<ReturnType<typeof buildExchanges>['get']>[1]) =>
  buildExchanges().get('/usage', response);
const RIGHT = { body: { r: { credits: 1 } } };
const json = (type: string) => ({ ...RIGHT, headers: { 'content-type': type } });
const error = (status: number, body: unknown) => usage({ status, body });

export const examples: RuleExamples = {
  'responses/json': {
    good: {
      JSON: usage(RIGHT),
      'no body where none is stated': buildExchanges().stop({ status: 204, body: '' }),
      'a body that was not kept': usage({ body: '{"r…', left_out: 70_000 }),
      'no operation of the API': buildExchanges().get('/elsewhere', { body: '<html>' }),
      'what stands in front of the service': usage({ status: 502, body: '<html>Bad gateway' }),
    },
    bad: {
      HTML: createBadExample(
        usage({ body: '<html>' }),
        /of the 200 to GET \/usage has to be JSON.*begins with "<html>"/,
        1,
      ),
      'an empty body': createBadExample(usage({ status: 204, body: '' }), /but is empty/, 1),
      'a text where no body is stated': createBadExample(
        buildExchanges().stop({ body: 'stopped' }),
        /begins with "stopped"/,
        1,
      ),
    },
  },
  'responses/content-type': {
    good: {
      JSON: usage(json('application/json; charset=utf-8')),
      'a kind of JSON': usage(json('application/problem+json')),
      'not on record': usage(RIGHT),
    },
    bad: {
      text: createBadExample(usage(json('text/plain')), /is JSON under the content type "text\/plain"/, 1),
      HTML: createBadExample(usage(json('text/html; charset=json')), /"text\/html/, 1),
    },
  },
  'responses/encoding': {
    good: {
      UTF8: usage({ body: '{"r":{"name":"Käthe"}}' }),
      'what is no JSON': usage({ status: 502, body: 'Käthe', encoding_fault: 'charset' }),
    },
    bad: {
      'a byte order mark': createBadExample(
        usage({ body: '\ufeff{"r":{}}' }),
        /GET \/usage begins with a byte order mark/,
        1,
      ),
      'a coding that it does not have': createBadExample(
        usage({ ...RIGHT, headers: { 'content-encoding': 'gzip' }, encoding_fault: 'content-encoding' }),
        /has the header "content-encoding: gzip", and its body is not encoded so/,
        1,
      ),
      'a coding that no header names': createBadExample(
        usage({ ...RIGHT, encoding_fault: 'content-encoding' }),
        /is compressed, and has no header "content-encoding"/,
        1,
      ),
      'another charset': createBadExample(
        usage({ ...json('application/json; charset=latin1'), encoding_fault: 'charset' }),
        /is not in UTF-8.*The header "content-type" names latin1/,
        1,
      ),
    },
  },
  'responses/envelope': {
    good: {
      'a payload': usage(RIGHT),
      'a payload and more': usage({ body: { r: { credits: 1 }, took_ms: 3 } }),
      'an operation without one': buildExchanges().get('/app', { body: { apps: [] } }),
    },
    bad: {
      'the payload itself': createBadExample(
        usage({ body: { credits: 1 } }),
        /with the field "r", but is \{"credits":1\}/,
        1,
      ),
      'an array': createBadExample(usage({ body: [] }), /but is \[\]/, 1),
    },
  },
  'responses/detail': {
    good: {
      'a text': error(404, { detail: 'There is no such thing.' }),
      'a text and more': error(401, { detail: 'No.', code: 7 }),
      'what stands in front of the service': error(503, '<html>'),
      'an unknown way of refusing': error(413, ''),
    },
    bad: {
      'another field': createBadExample(
        error(404, { error: 'no' }),
        /of the 404 to GET \/usage.*\{"error":"no"\}/,
        1,
      ),
      'a list': createBadExample(error(400, { detail: ['no'] }), /a text in "detail"/, 1),
      'nothing said': createBadExample(error(429, { detail: '' }), /a text in "detail"/, 1),
      HTML: createBadExample(error(403, '<html>no'), /begins with "<html>no"/, 1),
      nothing: createBadExample(error(401, ''), /but is empty/, 1),
    },
  },
  'responses/validation-detail': {
    good: {
      'a list': error(422, { detail: [{ loc: ['query', 'l'], msg: 'no', type: 'x' }] }),
      'a text': usage(REFUSED),
    },
    bad: {
      'no detail': createBadExample(
        error(422, { errors: [] }),
        /"detail" that says what does not validate/,
        1,
      ),
      'a number': createBadExample(error(422, { detail: 3 }), /\{"detail":3\}/, 1),
      HTML: createBadExample(error(422, '<html>'), /begins with/, 1),
    },
  },
};
