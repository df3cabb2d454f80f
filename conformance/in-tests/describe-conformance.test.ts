import { describe, expect, it } from 'vitest';
import { Mock } from '../../mock/mock.js';
import { mockTarget } from '../service/http-client/in-process.js';
import { describeConformance } from './describe-conformance.js';

const mock = new Mock({ clock: 'manual' });
const { baseUrl, ...rest } = mockTarget(mock);

// As in a user project: this registers tests of this file.
describeConformance({ ...rest, baseUrl, apiKey: 'a-key', concurrency: 1, only: ['auth/get*'] });

describe('describeConformance', () => {
  it('refuses options that leave no check', () => {
    const options = { baseUrl, apiKey: 'k', only: ['nothing/*'] };
    expect(() => describeConformance(options)).toThrow(TypeError);
  });
});
