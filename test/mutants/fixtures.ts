import type { Fixtures } from '../../mock/fixtures/fixtures.js';

/** What a case cannot make for itself: a new organisation has no proxies, and no operation assigns one. */
export const FIXTURES: Fixtures = { proxies: [{ country: 'DE' }, { country: 'US' }] };
