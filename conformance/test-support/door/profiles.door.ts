import { describeConformance } from '../../vitest-door.js';
import { target } from './target.js';

describeConformance({ ...target(), title: 'profiles', only: ['auth/listProfiles'] });
