import { describeConformance } from '../../vitest-door.js';
import { target } from './target.js';

describeConformance({
  ...target(),
  only: ['auth/getUsage', 'auth/getOrganisation', 'resources/getUsage-answer'],
});
