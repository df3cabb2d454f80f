/** The least that a page needs, to see what it weighs. */
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

Object.assign(globalThis, { handlers: handlers(createMock(), { baseUrl: '/' }) });
