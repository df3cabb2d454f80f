import { describe } from 'vitest';
import { testExample } from './examples.js';

describe('the example for mocha', () =>
  testExample({
    install: 'mocha@12',
    folder: 'mocha',
    command: ['npx', 'mocha', 'mocha/*.spec.mjs'],
    passed: /1 passing/,
  }));
