import { expect, it } from 'vitest';
import { listDriftedFiles } from '../../../spec/generate/write-files.js';
import { makePictures } from './pictures.js';

it('the pictures show what the commands print today: "npm run pictures" makes them anew', async () => {
  expect(listDriftedFiles(await makePictures())).toEqual([]);
});
