import { expect, it } from 'vitest';
import { driftedFiles } from '../../../spec/generate/write-files.js';
import { makePictures } from './pictures.js';

it('the pictures show what the commands print today: "npm run pictures" makes them anew', async () => {
  expect(driftedFiles(await makePictures())).toEqual([]);
});
