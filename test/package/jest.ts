import { describe } from 'vitest';
import { testExample } from './examples.js';

const JEST = 'node_modules/jest/bin/jest.js';

describe('the example for jest', () =>
  testExample({
    install: 'jest@30',
    folder: 'jest',
    command: ['node', '--experimental-vm-modules', JEST, '--config', 'jest/jest.config.mjs'],
    passed: /Tests: +1 passed/,
  }));
