import assert from 'node:assert/strict';
import { type OpenApiDocument, openapi, openPoints, requirements } from 'taskdouble/spec';

const document: OpenApiDocument = openapi;
assert.equal(document.openapi.slice(0, 3), '3.1');
const points: number = openPoints.length;
assert.ok(points > 10);
assert.ok(requirements.some(({ id }) => id === 'POLL-02'));

// @ts-expect-error a requirement has no such member
assert.equal(requirements[0].nothing, undefined);
